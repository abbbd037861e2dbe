module shim

go 1.19

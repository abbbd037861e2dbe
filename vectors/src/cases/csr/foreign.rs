//! Whole requests by keys of other kinds, each right by the rules of its own algorithm.
//!
//! Made once with Python's `cryptography`, which signs with OpenSSL: version 0, empty subject, no attributes.

/// Ed25519 (RFC 8410); the private key is the SHA-256 of `published test key: ed25519`.
pub(super) const ED25519: &str = "\
    MH8wMwIBADAAMCowBQYDK2VwAyEA7oNepqeP7JmonTEwoknN1Bmt1h_6J8_oWCZBAvaNt8GgADAFBgMrZXADQQCsfBSRRffmVNr_\
    ui9EHkaUpLcJnyF0Q5Ts-7qHB3i2NStXWwvebgcjtHd5adushl6XgRXb1_sI3-LZviR6wN8E";

/// ecdsa-with-SHA256 on secp256k1; the scalar is the SHA-256 of `published test key: secp256k1`.
pub(super) const SECP256K1: &str = "\
    MIG3MF8CAQAwADBWMBAGByqGSM49AgEGBSuBBAAKA0IABIUctGRjP1WVXeLseE24yxCReLZfThsLav2iYCXFQVqcuVkZHXhpzIVP\
    oIJxxNiokYEtvdPG7-o3wqM8oMUtvyWgADAKBggqhkjOPQQDAgNIADBFAiA4zad_tgc7gwoMiiMTyJHJ47MBlhK7qGhndzW093j2\
    7wIhAPiDWiD1dM6hNw0uOH9_D_8_a3hHDNBmP3gkMdyJG1lE";

/// DSA of 2048 bits with SHA-256 (RFC 5758 3.1); the key was random.
pub(super) const DSA: &str = "\
    MIIDrjCCA1ICAQAwADCCA0cwggI5BgcqhkjOOAQBMIICLAKCAQEAuv5eY69QXtnxotGmqzOcSZuGjGqJzx4nWCc0TQS5jvhTA-Kq\
    AeC8PH3AwMPUV7USTprlqo_X3Tiz4rLqIF1YPDhA7ZKuFPSBS7-GAEd6q71h6N5zi_Diyzc9NSJRWa2xU-HThDGh44AZ4XNTXXEU\
    fzwHBQVYQ9dT-b4aWFy_tqEw1INdOgVuMI2o-ulEEjM49UN0Nl0wPAXS7IRYaXaXwCEzotu2kI2UYWcba_YDfsE7UYSCOJe7Voll\
    AMTBYPBeYOcehaIklLNeufnWugbUcxLBwuHdQfTwBrtazXcaSjv8PuN-yQ-69pF_nU6YAwELCMkKlGQ_7RXfwnpvLjF0zQIhAPh2\
    V62V_lgbEaEve2Yy__L-2q_wIqjAANQdlQ8PU_NpAoIBAEc8a6jshyZxbHetLjEYE3Ul8QFhfTpIC6L1r0z93NH7yD3C905SazPl\
    J1CxNNOMhvo7nFg6LJVw5Q27x_uIIl7lHtrdZVRyx2Xma2R7I8B7-iyr6exic4MdG6Rx1_XEOnI5yKGbXfI3DvZCg5pYwJDtGFM4\
    zsQzlsxSuxRX00rcIXEqRg8E-MLbo_Qfy0PE1j7RGDv2dd9g1kh8LkFMPTnJVcZWgTRQdUGSYTUG7XkdhYLkfB2DGnXimxCpxEj5\
    FssTzlsaUCRGTcafRf8-Z3gjk1n3MGKqSN44rVoI6c_DLY7CbDrW4dIgqGSeveT002GfkHLJn0sWYcdgEaylbsADggEGAAKCAQEA\
    tfGB6dnRdWJ7ZTG7adNwhO8d5ZO2UaMPozHdOx_KvPAnraWDsXlO-Golyt4raKRtOfkVMet-Nuh_E-v84pOwDOSvUuzHqgBlpGNQ\
    jfcHxZkDav9JWfemt4V-SeM_jRVoI2DUANVqe9EZt0m867I5DuH7pplmELmaCyMp7wTUZ1Rm-I1GXPZCnseu4S84iTZw9Wy5cQyK\
    MzEguIAqPPQlW0lVYQqRnwPGx4jUyAeBR8OfapTnPM-HQ7GZIysC-YQ8S_bpjPll9BO56pLANF-pLPWvYAUqsQ4vTE2ncBq9fy-6\
    SHWuckQ7apfR30BOJfwAtenfp2nUsYVZbOh794PaGqAAMAsGCWCGSAFlAwQDAgNJADBGAiEAt1AOfUs69JgWx-Up3WCvmScixiLU\
    C-skUXbWeX_9kT0CIQCSdMH-qsi06sYAyi4PhB7_QNnXNq5cXXJbLAPFXhk4UA";

// CryptoKit as swift-crypto has it; the Secure Enclave is left out.

@_exported import Crypto

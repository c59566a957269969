// CryptoKit's API from swift-crypto; the Secure Enclave is left out.

@_exported import Crypto

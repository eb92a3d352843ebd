/**
 * How a key signs: `ecdsa` (secp256k1, P-256; RFC 6979, low `s`), `eddsa` (ed25519), `schnorr` (BIP-340) or `taproot` (BIP-340 with the key
 * tweaked as in BIP-341, without scripts).
 */
export type SigningScheme = 'ecdsa' | 'eddsa' | 'schnorr' | 'taproot'

/** A signature as the wire has it: `r` and `s` of 64 hex digits; `v` is `00` or `01`, the recovery id of ECDSA, else `00`. */
export type SignatureParts = { readonly r: string; readonly s: string; readonly v: string }

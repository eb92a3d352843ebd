/** The curves of wallets and private keys, as the wire names them. */
export const keyCurves = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const

export type KeyCurve = (typeof keyCurves)[number]

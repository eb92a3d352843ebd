import type { AuthProxyKeys } from '../../core/ports/auth-proxy.ts'
import { generateKey } from '../signatures/signer.ts'

/** On P-256, in hex. */
export type ProxyKeyPair = { readonly publicKey: string; readonly privateKey: string }

/** The keys of a proxy: the one by which it signs its own questions, and the one that opens what is encrypted to it. */
export type ProxyKeys = { readonly signing: ProxyKeyPair; readonly opening: ProxyKeyPair }

export const newProxyKeys = (): ProxyKeys => ({ signing: newPair(), opening: newPair() })

const newPair = (): ProxyKeyPair => {
  const { publicKey, privateKey } = generateKey('API_KEY_CURVE_P256')
  return { publicKey, privateKey }
}

type PublicHalf = Pick<ProxyKeyPair, 'publicKey'>

/** The keys as the engine takes them. */
export const publicHalves = ({ signing, opening }: Readonly<Record<keyof ProxyKeys, PublicHalf>>): AuthProxyKeys => ({
  signingPublicKey: signing.publicKey,
  openingPublicKey: opening.publicKey,
})

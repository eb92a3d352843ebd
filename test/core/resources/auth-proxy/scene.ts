import { ECDH } from 'node:crypto'
import { boundAad, decryptWith } from '../../../../adapters/keyring/hpke.ts'
import { signingKey } from '../../../../adapters/signatures/signer.ts'
import { decodeHex, encodeHex } from '../../../../core/bytes.ts'
import type { Json } from '../../../../core/failure.ts'
import { PROXY_KEYS } from '../../world/proxy-keys.ts'
import { right, type Place, type Signer, type World, type WorldOptions } from '../../world/world.ts'
import { family } from '../sub-organization/children.ts'

/** As `get_auth_proxy_config` shows it. */
export type Config = {
  readonly isEnabled: boolean
  readonly userId?: string
  readonly publicKey?: string
  readonly encryptedApiKey?: { readonly encappedPublic: string; readonly ciphertext: string }
  readonly [member: string]: Json | undefined
}

/** The proxy as it asks how it is set up. */
export const asConfig: Signer = { key: right(signingKey('API_KEY_CURVE_P256', PROXY_KEYS.signing.privateKey)) }

export const configOf = async (place: Place, signer: Signer = asConfig): Promise<Config> =>
  (await place.answer(signer, 'get_auth_proxy_config')).authProxyConfig as Config // its codec wrote it

const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array()

/** What the proxy opens, if it believes that it is a key of this organization with this public half. */
export const opened = (
  { encryptedApiKey }: Config,
  organizationId: string,
  publicKey: string,
): Promise<Uint8Array | undefined> => {
  if (encryptedApiKey === undefined) throw new Error('there is no sealed key')
  const { opening } = PROXY_KEYS
  const point = ECDH.convertKey(opening.publicKey, 'prime256v1', 'hex', 'hex', 'uncompressed').toString()
  const target = bytesOf(point)
  const aad = (encapped: Uint8Array) => boundAad(encapped, target, organizationId, publicKey)
  return decryptWith(bytesOf(opening.privateKey), target, encryptedApiKey, { aad })
}

/** The proxy as it acts in an organization that has let it in. */
export const asProxy = async (place: Place): Promise<Signer & { readonly userId: string }> => {
  const config = await configOf(place)
  const { publicKey = '', userId = '' } = config
  const secret = await opened(config, place.organizationId, publicKey)
  return { userId, key: right(signingKey('API_KEY_CURVE_P256', encodeHex(secret ?? new Uint8Array()))) }
}

/** A world whose organization has let the proxy in. */
export const letIn = async (
  options: WorldOptions = {},
): Promise<World & { readonly proxy: Signer & { readonly userId: string } }> => {
  const w = await family(options)
  await w.done(w.root, 'enable_auth_proxy', {})
  return { ...w, proxy: await asProxy(w) }
}

export const allow = (place: Place, policyName: string, condition = 'true', consensus = 'true'): Promise<unknown> =>
  place.done(place.root, 'create_policy', { policyName, effect: 'EFFECT_ALLOW', condition, consensus, notes: '' })

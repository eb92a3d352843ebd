import type { ApiKeyCurve } from '../../core/organization/organization.ts'
import { generateKey } from '../signatures/signer.ts'
import { Credentials, readJson, writeJson } from './credentials.ts'
import { print } from './print.ts'
import { unusable } from './stop.ts'

export type KeygenOptions = {
  readonly curve: Curve
  /** Whose organization and server the new key is for. */
  readonly credentials?: string
  readonly out?: string
}
export type Curve = 'p256' | 'secp256k1' | 'ed25519'

/** Makes a key pair, in the form of a credentials file. */
export const keygen = async ({ curve, credentials, out }: KeygenOptions): Promise<number> => {
  const { publicKey, privateKey } = generateKey(curveTypes[curve])
  const json = {
    ...(credentials === undefined ? {} : await placeOf(credentials)),
    curveType: curveTypes[curve],
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
  }
  if (out === undefined) print(json)
  else await writeJson(out, json)
  return 0
}

const placeOf = async (path: string): Promise<Pick<Credentials, 'baseUrl' | 'organizationId'>> => {
  const found = await readJson(Credentials, path, 'credentials file')
  if (found === undefined) throw unusable(`there is no file ${path}`)
  const { baseUrl = null, organizationId } = found
  return { baseUrl, ...(organizationId === undefined ? {} : { organizationId }) }
}

const curveTypes: Readonly<Record<Curve, ApiKeyCurve>> = {
  p256: 'API_KEY_CURVE_P256',
  secp256k1: 'API_KEY_CURVE_SECP256K1',
  ed25519: 'API_KEY_CURVE_ED25519',
}

import type { Curve as KeyCurve } from '../../core/ports/signatures.ts'
import { generateKey } from '../signatures/signer.ts'
import type { Credentials } from '../credentials/credentials-file.ts'
import { readCaller, writeJson } from '../credentials/credentials.ts'
import { print, say } from './print.ts'
import { mustBeNew } from '../files/whole-file.ts'

export type KeygenOptions = {
  readonly curve: Curve
  /** A credentials file: the new key is for its organization and its server. */
  readonly credentials?: string
  readonly out?: string
  /** Whether a file at that place may be replaced. */
  readonly force?: boolean
}
export type Curve = 'p256' | 'secp256k1' | 'ed25519'

/** Makes a key pair, in the form of a credentials file. */
export const keygen = async ({ curve, credentials, out, force = false }: KeygenOptions): Promise<number> => {
  if (out !== undefined && !force) await mustBeNew(out)
  const { publicKey, privateKey } = generateKey(curveTypes[curve])
  const json = {
    ...(credentials === undefined ? {} : await placeOf(credentials)),
    curveType: curveTypes[curve],
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
  }
  if (out === undefined) print(json)
  else {
    await writeJson(out, json, force ? 'replace' : 'new')
    say(`The key pair is in ${out}. Keep it secret.`)
  }
  return 0
}

const placeOf = async (path: string): Promise<Pick<Credentials, 'baseUrl' | 'organizationId'>> => {
  const { baseUrl = null, organizationId } = await readCaller(path)
  return { baseUrl, organizationId }
}

const curveTypes: Readonly<Record<Curve, KeyCurve>> = {
  p256: 'API_KEY_CURVE_P256',
  secp256k1: 'API_KEY_CURVE_SECP256K1',
  ed25519: 'API_KEY_CURVE_ED25519',
}

import * as t from 'io-ts'
import { closed, decode, Uuid } from '../../core/codec/codec.ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import { fields } from '../../core/codec/fields.ts'
import { ApiKeyCurve } from '../../core/resources/api-key/api-key-params.ts'
import { E, pipe } from '../../core/prelude.ts'
import { signingKey, type SigningKey } from '../signatures/signer.ts'
import { unusable } from './stop.ts'
import { readWhole, writeWhole, type Placing } from './whole-file.ts'

const BaseUrl = t.union([t.string, t.null], 'a URL, or null')

/** The file that `serve --init` writes: the root user's key, its organization and its server. Keys are hex. */
export const RootCredentials = closed({
  baseUrl: BaseUrl,
  organizationId: Uuid,
  userId: Uuid,
  apiPublicKey: t.string,
  apiPrivateKey: t.string,
})
export type RootCredentials = t.TypeOf<typeof RootCredentials>

/** Any credentials file: members that are missing can be given with the request. */
export const Credentials = fields(
  { apiPublicKey: t.string, apiPrivateKey: t.string },
  { baseUrl: BaseUrl, organizationId: Uuid, userId: Uuid, curveType: ApiKeyCurve },
)
export type Credentials = t.TypeOf<typeof Credentials>

/** Reads a file of ours; `undefined` if there is none. */
export const readJson = async <A>(codec: t.Type<A, unknown>, path: string, what: string): Promise<A | undefined> => {
  const bytes = await readWhole(path)
  if (bytes === undefined) return undefined
  const read = pipe(
    E.tryCatch(
      () => JSON.parse(decodeUtf8(bytes) ?? '') as unknown,
      () => 'expected JSON', // a parser's message may quote the content
    ),
    E.flatMap((json) => E.mapLeft(({ message }: { message: string }) => message)(decode(codec, what)(json))),
  )
  if (E.isLeft(read)) throw unusable(`${path} is not a ${what}: ${read.left}`)
  return read.right
}

/** @returns the folders that it made, the deepest first */
export const writeJson = (path: string, json: unknown, placing: Placing): Promise<readonly string[]> =>
  writeWhole(path, [encodeUtf8(`${JSON.stringify(json, undefined, 2)}\n`)], placing)

/** Reads a credentials file, with its key. */
export const readCredentials = async (path: string): Promise<Credentials & { readonly key: SigningKey }> => {
  const credentials = await readJson(Credentials, path, 'credentials file')
  if (credentials === undefined) throw unusable(`there is no file ${path}`)
  return { ...credentials, key: keyOf(path, credentials) }
}

/** The key of a credentials file. Its public and its private half must fit. */
export const keyOf = (
  path: string,
  { apiPublicKey, apiPrivateKey, curveType = 'API_KEY_CURVE_P256' }: Credentials,
): SigningKey => {
  const key = signingKey(curveType, apiPrivateKey)
  if (E.isLeft(key)) throw unusable(`${path} holds no usable key: ${key.left.message}`)
  if (key.right.publicKey !== apiPublicKey.toLowerCase())
    throw unusable(`${path} holds no usable key: its public key does not belong to its private key`)
  return key.right
}

import type * as t from 'io-ts'
import { decode } from '../../core/codec/codec.ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import { E, pipe } from '../../core/prelude.ts'
import { signingKey, type SigningKey } from '../signatures/signer.ts'
import { unusable } from '../files/system-error.ts'
import { readWhole, writeWhole, type Placing } from '../files/whole-file.ts'
import { Credentials } from './credentials-file.ts'

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

/** Who speaks to an engine or a server, and to which. */
export type CallerCredentials = {
  /** The server; `undefined` if the file names none, for example because it was written by a program that embeds the engine. */
  readonly url: string | undefined
  readonly organizationId: string
  readonly key: SigningKey
}

/**
 * Reads a credentials file, as `openOrCreateOrganization`, `countersign init`, `serve --init` and `keygen --credentials` write it.
 *
 * @returns rejects with a `CountersignError` with the code `CONFIGURATION_INVALID` if there is no such file, or it is another one. The
 *   message says what was expected, and contains nothing of the file.
 * @example const ada = connect(await readCredentials('data/credentials.json'))
 * @example const ada = engine.as(await readCredentials('data/credentials.json'))
 */
export const readCredentials = async (path: string): Promise<CallerCredentials> => {
  const { baseUrl, organizationId, key } = await readCaller(path)
  if (organizationId === undefined) throw unusable(`${path} has no organizationId`)
  return { url: baseUrl ?? undefined, organizationId, key }
}

/** Reads any credentials file, with its key. */
export const readCaller = async (path: string): Promise<Credentials & { readonly key: SigningKey }> => {
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

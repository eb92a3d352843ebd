import { writeCredentials, type Begun } from '../credentials/begin.ts'
import { RootCredentials } from '../credentials/credentials-file.ts'
import { readJson, keyOf } from '../credentials/credentials.ts'
import { send, urlOf } from './send.ts'
import { Stop } from './stop.ts'
import { stampedRequest } from '../signatures/stamped-request.ts'

type Place = {
  readonly file: string
  readonly begun: Begun
  /** Where this server listens. */
  readonly url: string
  readonly publicUrl?: string
}

/**
 * Keeps in the credentials file a URL at which its key works: the public one if there is one; else the URL that the file has, if a server
 * answers the key there; else that of this server.
 *
 * @returns the URL that the file has then
 */
export const keepUrl = async ({ file, begun, url, publicUrl }: Place): Promise<string> => {
  const credentials = (await readJson(RootCredentials, file, 'credentials file')) ?? begun.credentials // another server may have written it
  const { baseUrl } = credentials
  const wanted = publicUrl?.replace(/\/+$/, '') ?? url
  if (baseUrl === wanted) return baseUrl
  if (publicUrl === undefined && baseUrl !== null && (await isAnswered(file, credentials, baseUrl))) return baseUrl
  await writeCredentials(file, { ...credentials, baseUrl: wanted }, 'replace')
  return wanted
}

/** Whether a server at the URL knows the key. */
const isAnswered = async (file: string, credentials: RootCredentials, baseUrl: string): Promise<boolean> => {
  const { organizationId } = credentials
  const request = stampedRequest(keyOf(file, credentials), { organizationId, timestampMs: String(Date.now()) })
  try {
    const stamp = String(request.headers['x-stamp'])
    return (
      (await send(urlOf('/public/v1/query/whoami', baseUrl), request.body, stamp, { timeoutMs: 2_000 })).status === 200
    )
  } catch (error) {
    if (error instanceof Stop) return false
    throw error
  }
}

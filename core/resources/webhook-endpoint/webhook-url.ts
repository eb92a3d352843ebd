import { parseIpAddress } from '../../address/ip-address.ts'
import { isPublicAddress } from '../../address/public-address.ts'
import { refuse } from '../../definition/refuse.ts'
import { OUTGOING_PORTS } from '../../ports/outgoing.ts'

export const URL_LENGTH_MAX = 2_048
/** No spaces and no control characters: parsers of URLs take some of them out, and others would read what is left. */
const FORM = /^https?:\/\/[^/\\\s\p{Cc}][^\s\p{Cc}]*$/iu
/** At least two labels, and no dot at the end. */
const NAME = /^(?:[^.]{1,63}\.)+[^.]{1,63}$/
const NAME_LENGTH_MAX = 253
/** Names that no public resolver has. */
const LOCAL_NAME = /\.(?:local|internal|localhost)$/

/**
 * Refuses a URL that no delivery could reach: https on the port 443 or 8443, or http to localhost, for development. What a name resolves to is
 * checked at each delivery. Audits do not run it, because parsers of URLs change.
 */
export const admitUrl = (member: string, text: string | undefined): void => {
  if (text !== undefined && !isDeliverable(text)) throw refuse.field(member, EXPECTED)
}

const EXPECTED = `a URL of at most ${URL_LENGTH_MAX} characters: https to a public host on port 443 or 8443, without a user`

const isDeliverable = (text: string): boolean => {
  const url = text.length <= URL_LENGTH_MAX && FORM.test(text) ? parsed(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return false
  const { protocol, hostname, port } = url
  if (protocol === 'http:') return hostname === 'localhost'
  return protocol === 'https:' && OUTGOING_PORTS.includes(port) && isPublicHost(hostname)
}

const isPublicHost = (hostname: string): boolean => {
  const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, '$1'))
  if (address !== undefined) return isPublicAddress(address)
  return NAME.test(hostname) && hostname.length <= NAME_LENGTH_MAX && !LOCAL_NAME.test(hostname)
}

const parsed = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

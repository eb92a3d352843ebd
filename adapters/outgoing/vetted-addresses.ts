import { lookup as systemLookup } from 'node:dns/promises'
import { parseIpAddress, type IpAddress } from '../../core/address/ip-address.ts'
import { contains } from '../../core/address/network.ts'
import { isPublicAddress, networks } from '../../core/address/public-address.ts'
import { OUTGOING_PORTS } from '../../core/ports/outgoing.ts'

/** Gives all addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export const lookupAll: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Where clouds tell a machine its own credentials: never asked, not even in development. */
const METADATA = networks(
  ...['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ...['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128'],
  // IPv6 that a gateway, or this machine, turns into IPv4, so that it may be any of the above.
  ...['64:ff9b::/32', '2002::/16', '2001::/32', '::ffff:0:0:0/96'],
  ...['::169.254.0.0/112', '::100.100.100.200/128', '::168.63.129.16/128', '::192.0.0.192/128'],
)

const isMetadata = (address: IpAddress): boolean => METADATA.some((network) => contains(network, address))

/**
 * Whether a socket may be connected to the address. None has a zone: public addresses have none, and what Node does not read as an address it would
 * look up once more.
 *
 * @param allowPrivate  whether addresses may be private, for development
 */
export const mayConnect = (text: string, allowPrivate: boolean): boolean => {
  const address = parseIpAddress(text)
  if (address === undefined || isMetadata(address)) return false
  return allowPrivate || isPublicAddress(address)
}

/** The URL, if its scheme and its port may be asked, and it has no user, whose password nobody would send. */
export const vettedUrl = (text: string, allowPrivate: boolean): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  const isAllowed = allowPrivate
    ? url.protocol === 'https:' || url.protocol === 'http:'
    : url.protocol === 'https:' && OUTGOING_PORTS.includes(url.port)
  return isAllowed ? url : undefined
}

/** The host of a URL as sockets and certificates name it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** The addresses of a host, if it may be connected to at each of them. */
export const vettedAddresses = async (
  host: string,
  { lookup, allowPrivate }: { readonly lookup: Lookup; readonly allowPrivate: boolean },
): Promise<readonly string[] | 'refused' | 'no-address'> => {
  const addresses = parseIpAddress(host) === undefined ? await lookup(host).catch(() => []) : [host]
  if (addresses.length === 0) return 'no-address'
  return addresses.every((address) => mayConnect(address, allowPrivate)) ? addresses : 'refused'
}

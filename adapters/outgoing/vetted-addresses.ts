import { lookup, Resolver } from 'node:dns/promises'
import { parseIpAddress, type IpAddress } from '../../core/address/ip-address.ts'
import { contains } from '../../core/address/network.ts'
import { isPublicAddress, networks } from '../../core/address/public-address.ts'
import { OUTGOING_PORTS } from '../../core/ports/outgoing.ts'

/** Gives all addresses of a name. @param gone  aborted when nobody waits for them any more */
export type Lookup = (hostname: string, gone?: AbortSignal) => Promise<readonly string[]>

/** As the system does, by its file of hosts, too. It waits in threads, of which a process has few: names that nobody answers for hold up others. */
export const lookupBySystem: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** By DNS alone, on sockets, so that no look-up waits for another one. @param servers  as `address:port`; default: those of the system */
export const lookupByDns =
  (servers?: readonly string[]): Lookup =>
  async (hostname, gone) => {
    const resolver = new Resolver({ timeout: DNS_MS, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    gone?.addEventListener('abort', () => resolver.cancel())
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  }
const DNS_MS = 2_000

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
  {
    lookup,
    allowPrivate,
    gone,
  }: { readonly lookup: Lookup; readonly allowPrivate: boolean; readonly gone?: AbortSignal },
): Promise<readonly string[] | 'refused' | 'no-address'> => {
  const addresses = parseIpAddress(host) === undefined ? await lookup(host, gone).catch(() => []) : [host]
  if (addresses.length === 0) return 'no-address'
  return addresses.every((address) => mayConnect(address, allowPrivate)) ? addresses : 'refused'
}

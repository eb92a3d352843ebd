import {
  ipAddressText,
  isInNetwork,
  isIpv4Text,
  parseSocketAddress,
  type IpAddress,
} from '../../core/address/ip-address.ts'
import { parseNetwork, type Network } from '../../core/address/network.ts'

/** Gives the caller's IP address in its canonical form, or null if nobody knows who has connected. */
export type ClientAddress = (connectedAddress: string | undefined, forwardedFor: string | undefined) => string | null

/**
 * Resolves the caller's address. Anyone can send `X-Forwarded-For`, so an entry counts only if a trusted proxy appended it: read from the
 * right, the first address that is not trusted is the caller. If a trusted proxy appended a text that is no address, the result is the
 * proxy's own address.
 *
 * @param trustedProxies  addresses and CIDR blocks
 * @throws RangeError if one of them is neither
 */
export const clientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  const isTrusted = within(trustedProxies)
  return (connectedAddress, forwardedFor) => {
    if (forwardedFor === undefined || trustedProxies.length === 0)
      return canonicalAddress(connectedAddress ?? '') ?? null
    let address = parseSocketAddress(connectedAddress ?? '')
    if (address === undefined) return null
    for (const entry of forwardedFor.split(',').toReversed()) {
      if (!isTrusted(address)) break
      const before = parseSocketAddress(withoutPort(entry.trim()))
      if (before === undefined) break
      address = before
    }
    return ipAddressText(address)
  }
}

/** Whether the address of a socket is one of the trusted proxies. */
export const trustedBy = (trustedProxies: readonly string[]): ((connectedAddress: string | undefined) => boolean) => {
  const isTrusted = within(trustedProxies)
  return (connectedAddress) => {
    const address = trustedProxies.length === 0 ? undefined : parseSocketAddress(connectedAddress ?? '')
    return address !== undefined && isTrusted(address)
  }
}

const within = (entries: readonly string[]): ((address: IpAddress) => boolean) => {
  const networks = entries.map(networkOf)
  return (address) => networks.some(({ start, bits }) => isInNetwork(address, start, bits))
}

/** The one spelling of an address: no zone, IPv6 compressed and in lower case, and IPv4 that is mapped into IPv6 as IPv4. */
export const canonicalAddress = (text: string): string | undefined => {
  if (isIpv4Text(text)) return text // nearly every address
  const address = parseSocketAddress(text)
  return address && ipAddressText(address)
}

const networkOf = (entry: string): Network => {
  const start = entry.includes('/') ? undefined : parseSocketAddress(entry)
  const network = start === undefined ? parseNetwork(entry) : { start, bits: 128 }
  if (network === undefined)
    throw new RangeError('trustedProxies: expected IP addresses and CIDR blocks, such as 10.0.0.0/8')
  return network
}

/** Some proxies append the port: `203.0.113.7:49152`, `[2001:db8::7]:49152`. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry

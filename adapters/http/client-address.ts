import { BlockList, isIP, SocketAddress } from 'node:net'

/** Says where a request came from: an IP address in its canonical form, or null where the socket does not know. */
export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string | null

/**
 * Resolves the caller's address. Anyone can send `X-Forwarded-For`, so an entry counts only when the one who appended it is
 * a trusted proxy: read from the right, the first address that is not trusted is the caller. Where a trusted proxy
 * appended something that is no address, the proxy's own address is the last that is known.
 *
 * @param trustedProxies  addresses and CIDR blocks
 * @throws RangeError when one of them is neither
 */
export const clientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  const trusted = blockList(trustedProxies)
  const isTrusted = (address: string): boolean => trusted.check(address, family(address))
  return (socketAddress, forwardedFor) => {
    let address = canonicalAddress(socketAddress ?? '')
    if (address === undefined) return null
    if (forwardedFor === undefined || trustedProxies.length === 0) return address
    for (const entry of forwardedFor.split(',').toReversed()) {
      if (!isTrusted(address)) break
      const before = canonicalAddress(withoutPort(entry.trim()))
      if (before === undefined) break
      address = before
    }
    return address
  }
}

/** One text per address: no zone, IPv6 compressed and in lower case, and IPv4 as such where it is mapped into IPv6. */
export const canonicalAddress = (text: string): string | undefined => {
  const bare = text.replace(/%.*$/, '')
  const version = isIP(bare)
  if (version === 0) return undefined
  if (version === 4) return bare
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address
}

const blockList = (entries: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of entries) {
    const [text = '', bits, ...rest] = entry.split('/')
    const address = canonicalAddress(text)
    const bitsMax = address !== undefined && family(address) === 'ipv4' ? 32 : 128
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity
    if (address === undefined || prefix > bitsMax || rest.length > 0)
      throw new RangeError('trustedProxies: expected IP addresses and CIDR blocks, such as 10.0.0.0/8')
    list.addSubnet(address, prefix, family(address))
  }
  return list
}

const family = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Some proxies append the port: `203.0.113.7:49152`, `[2001:db8::7]:49152`. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry

import { ipAddressText, isInNetwork, isIpv4, parseIpAddress, type IpAddress } from './ip-address.ts'

/** A block of addresses: its first one, and how many of its 128 bits all of them share. A block of IPv4 has 96 bits more than it is written with. */
export type Network = { readonly start: IpAddress; readonly bits: number }

const BITS = 128
/** The bits by which IPv4 is mapped into IPv6. */
const MAPPED_BITS = 96
const PREFIX = /^(?:0|[1-9]\d{0,2})$/

/**
 * Reads a block in CIDR form, such as `10.0.0.0/8` or `2001:db8::/32`, with any address of the block before the slash. A block of IPv4 may
 * be written as IPv6, too: `::ffff:10.0.0.0/104`.
 *
 * It is our own parser, and not the platform's: an audit judges old requests again, and parsers change.
 *
 * @returns the block from its first address on; undefined if the text is none, or spans the border between IPv4 and IPv6
 */
export const parseNetwork = (text: string): Network | undefined => {
  const [before = '', prefix = '', ...rest] = text.split('/')
  const address = parseIpAddress(before)
  if (address === undefined || rest.length > 0 || !PREFIX.test(prefix)) return undefined
  const bits = Number(prefix) + (before.includes(':') ? 0 : MAPPED_BITS)
  if (bits > BITS || (isIpv4(address) && bits < MAPPED_BITS)) return undefined
  return { start: address.map((group, at) => group & maskOf(at, bits)), bits }
}

/** The one spelling of a block. */
export const networkText = (network: Network): string => `${ipAddressText(network.start)}/${prefixOf(network)}`

/** The number behind the slash. */
export const prefixOf = (network: Network): number =>
  isIpv4Network(network) ? network.bits - MAPPED_BITS : network.bits

export const isIpv4Network = ({ start, bits }: Network): boolean => bits >= MAPPED_BITS && isIpv4(start)

/** Whether the address is in the block. A block of IPv6 has no address of IPv4, also where it has the addresses that IPv4 is mapped to. */
export const contains = (network: Network, address: IpAddress): boolean =>
  isIpv4Network(network) === isIpv4(address) && isInNetwork(address, network.start, network.bits)

/** The bits of a group that the block fixes. */
const maskOf = (at: number, bits: number): number => {
  const used = Math.min(16, Math.max(0, bits - 16 * at))
  return (0xffff << (16 - used)) & 0xffff
}

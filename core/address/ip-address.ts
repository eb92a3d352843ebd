/** An IP address as eight groups of 16 bits. An IPv4 address stands in the last two groups, mapped into IPv6 (`::ffff:0:0/96`). */
export type IpAddress = readonly number[]

const GROUPS = 8
const MAPPED: IpAddress = [0, 0, 0, 0, 0, 0xffff]

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const GROUP = /^[\da-f]{1,4}$/i

/** Reads an address in any of its spellings, without a zone; undefined if the text is no address. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  if (isIpv4Text(text)) return [...MAPPED, ...groupsOfIpv4(text)]
  const [head = '', tail, ...rest] = text.split('::')
  if (rest.length > 0 || !text.includes(':')) return undefined
  const [before, after] = [groupsOf(head, tail === undefined), groupsOf(tail ?? '', true)]
  if (before === undefined || after === undefined) return undefined
  const missing = GROUPS - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...before, ...Array<number>(missing).fill(0), ...after]
}

/** As `parseIpAddress`, for the address of a socket, which may end in a zone, such as `fe80::1%eth0`. */
export const parseSocketAddress = (text: string): IpAddress | undefined => parseIpAddress(text.replace(/%.*$/, ''))

/** Whether the text is an IPv4 address in its one spelling: four decimal numbers without leading zeros. */
export const isIpv4Text = (text: string): boolean => IPV4.test(text)

/** Whether the address is an IPv4 address, also if it was written as IPv6. */
export const isIpv4 = (address: IpAddress): boolean => MAPPED.every((group, at) => address[at] === group)

/**
 * The one spelling of an address: IPv4 in decimal numbers; IPv6 in lower case, with its longest run of zeros as `::`. IPv6 addresses that
 * contain an IPv4 address after six groups of zeros end in that address, as the operating systems write them.
 */
export const ipAddressText = (address: IpAddress): string => {
  if (isIpv4(address)) return ipv4Text(address)
  const { from, length } = longestZeros(address)
  if (from === 0 && length === 6) return `::${ipv4Text(address)}`
  const text = (groups: IpAddress): string => groups.map((group) => group.toString(16)).join(':')
  return length < 2 ? text(address) : `${text(address.slice(0, from))}::${text(address.slice(from + length))}`
}

/** Whether the first bits of an address are those of the network. @param bits  of 128: an IPv4 network has 96 more than it is written with */
export const isInNetwork = (address: IpAddress, network: IpAddress, bits: number): boolean =>
  address.every((group, at) => {
    const unused = Math.min(16, Math.max(0, 16 * (at + 1) - bits))
    return group >> unused === (network[at] ?? 0) >> unused
  })

/** The groups of a part of an address between `::`, or of all of it. */
const groupsOf = (text: string, mayEndInIpv4: boolean): IpAddress | undefined => {
  if (text === '') return []
  const groups: number[] = []
  const texts = text.split(':')
  for (const [at, group] of texts.entries()) {
    if (GROUP.test(group)) groups.push(Number.parseInt(group, 16))
    else if (mayEndInIpv4 && at === texts.length - 1 && isIpv4Text(group)) groups.push(...groupsOfIpv4(group))
    else return undefined
  }
  return groups
}

const groupsOfIpv4 = (text: string): IpAddress => {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

const ipv4Text = (address: IpAddress): string =>
  address
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')

/** The longest run of groups that are zero; the first one if there are several. */
const longestZeros = (address: IpAddress): { readonly from: number; readonly length: number } => {
  let longest = { from: 0, length: 0 }
  for (let from = 0; from < GROUPS; from += 1) {
    let length = 0
    while (from + length < GROUPS && address[from + length] === 0) length += 1
    if (length > longest.length) longest = { from, length }
  }
  return longest
}

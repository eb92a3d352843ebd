import { isIpv4, type IpAddress } from './ip-address.ts'
import { contains, parseNetwork, type Network } from './network.ts'

/** The blocks that a source names. */
export const networks = (...blocks: readonly string[]): readonly Network[] =>
  blocks.map((block) => {
    const network = parseNetwork(block)
    if (network === undefined) throw new Error(`no block of addresses: ${block}`) // a bug of the source that names it
    return network
  })

/** Blocks of IPv4 that are not of the internet: of a network, a machine, a group, or of nobody (the registries of IANA). */
const NOT_PUBLIC = networks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  '168.63.129.16/32', // the host of machines at Azure, which is public by its number only
)

/** Of IPv6, what is given out to the internet, without what stands for other addresses or for examples. */
const [GIVEN_OUT] = networks('2000::/3')
const NOT_GIVEN_OUT = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** Whether the address is one of the public internet, so that no caller reaches a private network by it. */
export const isPublicAddress = (address: IpAddress): boolean => {
  const isIn = (network: Network): boolean => contains(network, address)
  if (isIpv4(address)) return !NOT_PUBLIC.some(isIn)
  return GIVEN_OUT !== undefined && isIn(GIVEN_OUT) && !NOT_GIVEN_OUT.some(isIn)
}

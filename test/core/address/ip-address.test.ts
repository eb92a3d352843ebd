import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ipAddressText, isInNetwork, isIpv4, parseIpAddress } from '../../../core/address/ip-address.ts'

const it = suite('IP addresses')

/** Texts that are addresses, and texts that nearly are. */
const group = fc.oneof(
  fc.constantFrom('0', '0', '0', '1', 'ffff', 'FFFF', '00a1', '12345', '', 'g'),
  fc.nat(0xffff).map((n) => n.toString(16)),
)
const octet = fc.oneof(fc.nat(255).map(String), fc.constantFrom('0', '00', '01', '256', '', '-1', '1e1', ' 1'))
const almostIpv4 = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'))
const almostIpv6 = fc
  .tuple(
    fc.array(group, { maxLength: 9 }),
    fc.constantFrom('', '', '::', ':'),
    fc.array(group, { maxLength: 7 }),
    fc.option(almostIpv4),
  )
  .map(([before, gap, after, ipv4]) =>
    [before.join(':'), gap, [...after, ...(ipv4 === null ? [] : [ipv4])].join(':')].join(''),
  )
const almostAddress = fc.oneof(fc.ipV4(), fc.ipV6(), almostIpv4, almostIpv6, fc.string())

it('are read where Node reads them, and nowhere else', () => {
  const isAddress = (text: string): boolean => parseIpAddress(text) !== undefined
  fc.assert(
    fc.property(almostAddress, (text) => assert.is(isAddress(text), isIP(text) > 0 && !text.includes('%'), text)),
    { numRuns: 3000 },
  )
  for (const text of ['1.2.3.4', '::', '::1', '1::', '::1.2.3.4', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:1.2.3.4'])
    assert.ok(isAddress(text), text)
  for (const text of ['', ':', ':::', '1:::2', '1::2::3', '::1.2.3.4:5', '1:2:3:4:5:6:7::8', '1.2.3.4.', '1.2.3'])
    assert.not.ok(isAddress(text), text)
})

it('are written as Node writes them, and IPv4 that is mapped into IPv6 as IPv4', () => {
  fc.assert(
    fc.property(almostAddress, (text) => {
      const address = parseIpAddress(text)
      if (address === undefined) return
      const written = new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' }).address
      assert.is(ipAddressText(address), written.replace(/^::ffff:(?=[\d.]+$)/, ''), text)
    }),
    { numRuns: 3000 },
  )
})

it('are in the networks in which Node finds them', () => {
  const near = fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(127)).map(([text, flipped]) => {
    const address = [...(parseIpAddress(text) ?? [])]
    const other = address.map((group, at) => (at === flipped >> 4 ? group ^ (1 << (flipped & 15)) : group))
    return [address, other] as const
  })
  const isIn = (address: readonly number[], network: readonly number[], bits: number): boolean => {
    const list = new BlockList()
    const before = isIpv4(network) ? 96 : 0
    list.addSubnet(ipAddressText(network), Math.max(0, bits - before), before > 0 ? 'ipv4' : 'ipv6')
    return list.check(ipAddressText(address), isIpv4(address) ? 'ipv4' : 'ipv6')
  }
  fc.assert(
    fc.property(near, fc.integer({ min: 0, max: 128 }), ([network, address], bits) => {
      if (isIpv4(network) && bits < 96) return // no network of IPv4 can be written so
      assert.is(isInNetwork(address, network, bits), isIn(address, network, bits))
      assert.ok(isInNetwork(network, network, bits))
    }),
    { numRuns: 3000 },
  )
})

it.run()

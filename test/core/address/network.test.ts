import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isIpv4, parseIpAddress } from '../../../core/address/ip-address.ts'
import { contains, isIpv4Network, networkText, parseNetwork } from '../../../core/address/network.ts'

const it = suite('networks')

const textOf = (text: string): string | undefined => {
  const network = parseNetwork(text)
  return network && networkText(network)
}
const isIn = (network: string, address: string): boolean => {
  const [read, at] = [parseNetwork(network), parseIpAddress(address)]
  if (read === undefined || at === undefined) throw new Error(`${network} ${address}`)
  return contains(read, at)
}

it('begin at their first address, in its one spelling', () => {
  const spellings = [
    ['203.0.113.77/24', '203.0.113.0/24'],
    ['203.0.113.77/32', '203.0.113.77/32'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8:0:ffff::1/49', '2001:db8:0:8000::/49'],
    ['2001:DB8::0001/128', '2001:db8::1/128'],
    ['::ffff:10.1.2.3/120', '10.1.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::/0', '::/0'],
  ] as const
  for (const [given, expected] of spellings) assert.is(textOf(given), expected)
})

it('are none where a number is missing, too large or has another form, nor across the border of IPv4', () => {
  const wrong =
    '203.0.113.0 203.0.113.0/ 203.0.113.0/33 203.0.113.0/024 203.0.113.0/-1 203.0.113/24 203.0.113.0/8/8 ::/129 /24 fe80::1%eth0/64 ::ffff:10.0.0.0/8 x'
  for (const text of ['', ...wrong.split(' ')]) assert.is(textOf(text), undefined, text)
})

it('have the addresses of their own kind alone', () => {
  assert.ok(isIn('203.0.113.0/24', '203.0.113.255') && isIn('203.0.113.0/24', '::ffff:203.0.113.1'))
  assert.not.ok(isIn('203.0.113.0/24', '203.0.114.0'))
  assert.ok(isIn('2001:db8::/48', '2001:db8::1'))
  assert.not.ok(isIn('2001:db8::/48', '2001:db8:1::1'))
  assert.not.ok(isIn('::/48', '203.0.113.1'))
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())

it('have each address that they are made of, and are read as they are written', () => {
  fc.assert(
    fc.property(anyAddress, fc.nat(128), (text, prefix) => {
      const address = parseIpAddress(text)
      const network = parseNetwork(`${text}/${prefix}`)
      if (address === undefined || network === undefined) return
      assert.equal(parseNetwork(networkText(network)), network)
      assert.is(contains(network, address), isIpv4(address) === isIpv4Network(network))
    }),
  )
})

it.run()

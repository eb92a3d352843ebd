import { isIP } from 'node:net'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalAddress, clientAddress } from '../../../adapters/http/client-address.ts'

const it = suite('the address of the caller')

const behindProxy = clientAddress(['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.1'])

it('is the address of the socket, whatever the header says, where no proxy is trusted', () => {
  const addressOf = clientAddress([])
  assert.is(addressOf('198.51.100.7', undefined), '198.51.100.7')
  assert.is(addressOf('198.51.100.7', '203.0.113.1'), '198.51.100.7')
  assert.is(addressOf('127.0.0.1', '203.0.113.1'), '127.0.0.1')
})

it('is the address of the socket where that is no trusted proxy', () => {
  assert.is(behindProxy('198.51.100.7', '203.0.113.1'), '198.51.100.7')
})

it('is the last entry that a trusted proxy did not make', () => {
  assert.is(behindProxy('10.0.0.1', '203.0.113.1'), '203.0.113.1')
  assert.is(behindProxy('10.0.0.1', '1.1.1.1, 203.0.113.1'), '203.0.113.1', 'a forged entry to the left does not count')
  assert.is(behindProxy('10.0.0.1', '1.1.1.1, 203.0.113.1, 192.0.2.1,10.9.9.9'), '203.0.113.1')
  assert.is(behindProxy('2001:db8:ffff::1', '2001:DB8:0:0::7'), '2001:db8::7')
})

it('is the proxy where nothing was forwarded, or only proxies spoke', () => {
  assert.is(behindProxy('10.0.0.1', undefined), '10.0.0.1')
  assert.is(behindProxy('10.0.0.1', '10.0.0.2'), '10.0.0.2')
})

it('does not go past an entry that is no address', () => {
  assert.is(behindProxy('10.0.0.1', '203.0.113.1, unknown'), '10.0.0.1')
  assert.is(behindProxy('10.0.0.1', '203.0.113.1, '), '10.0.0.1')
  assert.is(behindProxy('10.0.0.1', '203.0.113.1, 10.0.0.256, 10.0.0.2'), '10.0.0.2')
  assert.is(behindProxy('10.0.0.1', ''), '10.0.0.1')
})

it('drops ports and zones', () => {
  assert.is(behindProxy('10.0.0.1', '203.0.113.1:49152'), '203.0.113.1')
  assert.is(behindProxy('10.0.0.1', '[2001:db8::7]:49152'), '2001:db8::7')
  assert.is(behindProxy('10.0.0.1', '[2001:db8::7]'), '2001:db8::7')
  assert.is(behindProxy('fe80::1%eth0', undefined), 'fe80::1')
})

it('takes an IPv4 address that is mapped into IPv6 for what it is', () => {
  assert.is(behindProxy('::ffff:10.0.0.1', '::ffff:cb00:7101'), '203.0.113.1')
})

it('is null where the socket is gone', () => {
  assert.is(behindProxy(undefined, '203.0.113.1'), null)
})

it('refuses trusted proxies that are no addresses', () => {
  for (const entry of [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
  ])
    assert.throws(() => clientAddress([entry]), /trustedProxies/, entry)
})

it('reads networks of every size', () => {
  assert.is(clientAddress(['0.0.0.0/0'])('198.51.100.7', '203.0.113.1'), '203.0.113.1')
  assert.is(clientAddress(['::/0'])('2001:db8::1', '203.0.113.1'), '203.0.113.1')
  assert.is(clientAddress(['10.0.0.5'])('10.0.0.4', '203.0.113.1'), '10.0.0.4')
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())

it('gives an address its one canonical text', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const canonical = canonicalAddress(address)
      assert.ok(canonical !== undefined && isIP(canonical) > 0)
      assert.is(canonicalAddress(canonical), canonical)
      assert.is(canonicalAddress(address.toUpperCase()), canonical)
    }),
  )
})

it('cannot be forged: what a caller puts before its proxy has no influence', () => {
  const trusted = fc.constantFrom('10.0.0.1', '10.255.255.255', '192.0.2.1', '2001:db8:ffff::1')
  const caller = fc.constantFrom('203.0.113.1', '2001:db8::7', '11.0.0.1')
  fc.assert(
    fc.property(fc.string(), caller, fc.array(trusted), trusted, (forged, address, hops, proxy) => {
      assert.is(behindProxy(proxy, [forged, address, ...hops].join(', ')), address)
    }),
  )
})

it('is an address, whatever the header is', () => {
  fc.assert(
    fc.property(anyAddress, fc.string(), (socketAddress, header) => {
      assert.ok(isIP(behindProxy(socketAddress, header) ?? '') > 0)
      assert.ok(isIP(behindProxy('10.0.0.1', header) ?? '') > 0)
    }),
  )
})

it.run()

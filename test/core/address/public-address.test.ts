import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseIpAddress } from '../../../core/address/ip-address.ts'
import { isPublicAddress, networks } from '../../../core/address/public-address.ts'

const it = suite('public addresses')

const isPublic = (text: string): boolean => {
  const address = parseIpAddress(text)
  if (address === undefined) throw new Error(text)
  return isPublicAddress(address)
}

/** The first and the last address of blocks that are not public. */
const BORDERS = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const

/** Their neighbours that are. */
const BESIDE = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.1.255'],
  ...['192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['168.63.129.15', '168.63.129.17', '2000::', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ...['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ...['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

it('are all but those that the registries keep for other uses, up to their borders', () => {
  for (const text of BORDERS.flat()) assert.not.ok(isPublic(text), text)
  for (const text of BESIDE) assert.ok(isPublic(text), text)
})

it('are none where IPv6 stands for an address of IPv4, but for the one spelling that is IPv4', () => {
  assert.ok(isPublic('::ffff:93.184.215.14'))
  for (const text of ['::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:127.0.0.1']) assert.not.ok(isPublic(text), text)
  const standing = {
    compatible: '::93.184.215.14',
    translated: '::ffff:0:93.184.215.14',
    '6to4': '2002:5db8:d70e::1',
    NAT64: '64:ff9b::93.184.215.14',
    'NAT64 of a network': '64:ff9b:1::93.184.215.14',
    Teredo: '2001:0:5db8:d70e::1',
  }
  for (const [kind, text] of Object.entries(standing)) assert.not.ok(isPublic(text), kind)
})

it('are told by blocks that are written well', () => {
  assert.is(networks('10.0.0.0/8', '2001:db8::/32').length, 2)
  assert.throws(() => networks('10.0.0.0/8', '10.0.0.0/33'), '10.0.0.0/33')
})

it.run()

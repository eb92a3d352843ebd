import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { targetOf, type Target } from '../../../adapters/store-eventstoredb/url.ts'
import { E } from '../../../core/prelude.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('EventStoreDB store: URL')

const target = (url: string): Target => {
  const found = targetOf(url)
  if (E.isLeft(found)) throw new Error(found.left.message)
  return found.right
}
const refusal = (url: string): string => {
  const found = targetOf(url)
  if (E.isRight(found)) throw new Error(`took ${url}`)
  assert.is(found.left.code, 'CONFIGURATION_INVALID')
  return found.left.message.replace('the URL of the store cannot be used: ', '')
}
const common: Target = {
  hosts: [{ address: 'h', port: 2113 }],
  discovers: false,
  tls: {},
  credentials: undefined,
  options: { connectionName: 'countersign' },
}

it('reads scheme, user, hosts and options', () => {
  assert.equal(target('esdb://h'), common)
  assert.equal(target('KurrentDB://h/'), common)
  assert.equal(target('esdb+discover://h'), { ...common, discovers: true })
  assert.equal(target('kurrentdb+discover://h'), { ...common, discovers: true })
  assert.equal(target(' esdb://al%40ice:p%2Fa%3Ass:word@one:1,two.example/?tls=false&KEEP_ALIVE-interval=-1 '), {
    ...common,
    hosts: [
      { address: 'one', port: 1 },
      { address: 'two.example', port: 2113 },
    ],
    credentials: { username: 'al@ice', password: 'p/a:ss:word' },
    tls: undefined,
    options: { connectionName: 'countersign', keepAliveInterval: -1 },
  })
  assert.equal(
    target('esdb://h?connectionName=a%26b&maxDiscoverAttempts=3&discoveryInterval=0&gossipTimeout=9').options,
    { connectionName: 'a&b', maxDiscoverAttempts: 3, discoveryInterval: 0, gossipTimeout: 9 },
  )
  assert.equal(target('esdb://h?nodePreference=Leader&throwOnAppendFailure=true&tlsVerifyCert=true&tls=true'), common)
})

it('reads the files of certificates', async () => {
  const { path, remove } = await temporaryFolder()
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(path, name), name)
  const file = (name: string): string => encodeURIComponent(join(path, name))
  const { tls } = target(`esdb://h?tlsCAFile=${file('ca')}&userCertFile=${file('cert')}&userKeyFile=${file('key')}`)
  assert.equal(
    Object.entries(tls ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    [
      ['ca', 'ca'],
      ['cert', 'cert'],
      ['key', 'key'],
    ],
  )
  await remove()
})

it('says what is wrong', () => {
  for (const [url, message] of [
    ['', 'it begins with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://'],
    ['esdb:h', 'it begins with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://'],
    ['esdb://', 'it names no host'],
    ['esdb://u:p@', 'it names no host'],
    ['esdb://u@h', 'a user in it has a name and a password, as name:password@'],
    ['esdb://u:@h', 'a user in it has a name and a password, as name:password@'],
    ['esdb://h:0', 'the host in it has a port that is not from 1 to 65535'],
    ['esdb://one,two:99999,three', 'entry 2 of its 3 hosts has a port that is not from 1 to 65535'],
    ['esdb://one,,three', 'entry 2 of its 3 hosts is not host or host:port'],
    ['esdb://one,two:port', 'entry 2 of its 2 hosts is not host or host:port'],
    ['esdb://[::1]:2113', 'the host in it is not host:port; an IPv6 address needs a name, since the client reads none'],
    ['esdb://h/database', 'the host in it is not host or host:port'],
    ['esdb+discover://one,two', 'with +discover it names one host; a list of hosts needs no +discover'],
    ['esdb://h?tls', 'tls has no value'],
    ['esdb://h?tls=no', 'tls is true or false'],
    ['esdb://h?tls=true&TLS=false', 'tls stands in it more than once'],
    ['esdb://h?gossipTimeout=0', 'gossipTimeout is a whole number from 1 on'],
    ['esdb://h?keepAliveTimeout=1.5', 'keepAliveTimeout is a whole number from -1 on'],
    ['esdb://h?nodePreference=follower', 'nodePreference is leader: the store reads and writes there only'],
    [
      'esdb://h?throwOnAppendFailure=false',
      'throwOnAppendFailure is true: without it the server does not tell why it refuses',
    ],
    [
      'esdb://h?tlsVerifyCert=false',
      'tlsVerifyCert=false is not known to the client: name the certificate of its authority with tlsCAFile',
    ],
    ['esdb://h?tls=false&tlsCAFile=ca', 'with tls=false it can name no certificate and no key'],
    ['esdb://h?userCertFile=cert', 'userCertFile and userKeyFile are given together'],
    ['esdb://h?tlsCAFile=/none/at/all', 'a file that it names cannot be read'],
    ['esdb://u:p%@h', 'a % in it is not followed by two hex digits'],
  ] as const)
    assert.is(refusal(url), message, url)
})

it('names an option that was probably meant', () => {
  assert.match(refusal('esdb://h?tlsCAFiel=x'), 'did you mean tlsCAFile?')
  assert.match(refusal('esdb://h?x=1'), 'an option in it is unknown: there are tls,')
  assert.match(refusal('esdb://h?defaultDeadline=1'), 'an option in it is unknown')
})

it('reads back what it was made of', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/)
  const host = fc.record({ address: name, port: fc.integer({ min: 1, max: 65_535 }) }, { noNullPrototype: true })
  const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((found) => found.trim() === found)
  fc.assert(
    fc.property(
      fc.constantFrom('esdb', 'kurrentdb', 'ESDB'),
      fc.array(host, { minLength: 1, maxLength: 4 }),
      fc.option(fc.record({ username: text, password: text }, { noNullPrototype: true }), { nil: undefined }),
      text,
      (scheme, hosts, credentials, connectionName) => {
        const user =
          credentials === undefined
            ? ''
            : `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
        const list = hosts.map(({ address, port }) => `${address}:${port}`).join(',')
        const url = `${scheme}://${user}${list}?tls=false&connectionName=${encodeURIComponent(connectionName)}`
        assert.equal(target(url), { ...common, hosts, credentials, tls: undefined, options: { connectionName } })
      },
    ),
  )
})

it('never repeats any of the URL, whatever it is', () => {
  const secret = 'hunter2secret'
  const piece = fc.constantFrom(
    ...['esdb://', 'kurrentdb+discover://', '://', ':', '@', '/', ',', '?', '&', '=', '%', '%zz', '[', ']', ' ', '\n'],
    ...['tls', 'tlsCAFile', 'userKeyFile', 'connectionName', 'gossipTimeout', 'nodePreference', 'host', '99999', 'é'],
    secret,
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const found = targetOf(pieces.join(''))
      if (E.isLeft(found)) assert.not.match(JSON.stringify(found), secret)
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (rest) => {
      const found = targetOf(`esdb://${rest}`)
      assert.type(found._tag, 'string')
    }),
  )
})

it.run()

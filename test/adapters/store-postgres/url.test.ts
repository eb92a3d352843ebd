import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { targetOf } from '../../../adapters/store-postgres/url.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('PostgreSQL store: URL')

const hostsOf = (url: string): readonly object[] => {
  const found = targetOf(url)
  return E.isRight(found) ? found.right.hosts : []
}
const common = { database: 'd', application_name: 'countersign', ssl: false }

it('reads user, password, host, port and database, with their escapes', () => {
  assert.equal(hostsOf('postgres://al%40ice:p%2Fa%3Ass:word@db.example:5433/d%20b'), [
    { ...common, user: 'al@ice', password: 'p/a:ss:word', database: 'd b', host: 'db.example', port: 5433 },
  ])
  assert.equal(hostsOf('postgresql://h/d'), [{ ...common, host: 'h' }])
  assert.equal(hostsOf('POSTGRES://[::1]:1/d'), [{ ...common, host: '::1', port: 1 }])
})

it('reads a folder of sockets as a host', () => {
  assert.equal(hostsOf('postgres://%2Fvar%2Frun/d'), [{ ...common, host: '/var/run' }])
  assert.equal(hostsOf('postgres:///d?host=/var/run'), [{ ...common, host: '/var/run' }])
})

it('reads several hosts, each with its port', () => {
  assert.equal(
    hostsOf('postgres://u@one:1,two,[::1]:3/d').map((host) => ({ ...host, user: undefined })),
    [
      { ...common, user: undefined, host: 'one', port: 1 },
      { ...common, user: undefined, host: 'two' },
      { ...common, user: undefined, host: '::1', port: 3 },
    ],
  )
})

it('reads its own options, and the modes of TLS that do not fall back to none', () => {
  const found = targetOf('postgres://h/d?schema=my%20log&application_name=mine')
  assert.equal(E.isRight(found) && [found.right.schema, found.right.hosts], [
    'my log',
    [{ ...common, application_name: 'mine', host: 'h' }],
  ])
  const ssl = (mode: string) => hostsOf(`postgres://h/d?sslmode=${mode}`).map((host) => 'ssl' in host && host.ssl)
  assert.equal(ssl('require'), [{ servername: 'h', rejectUnauthorized: false }])
  assert.equal(ssl('verify-full'), [{ servername: 'h', rejectUnauthorized: true }])
  assert.equal(ssl('prefer'), [])
})

it('refuses what is no such URL, and repeats nothing of it', () => {
  const secret = 'hunter2'
  for (const url of [
    '',
    'mysql://h/d',
    `postgres://u:${secret}@h`,
    `postgres://u:${secret}@h/`,
    `postgres://u:${secret}@/d`,
    `postgres://u:${secret}@h:99999/d`,
    `postgres://u:${secret}@h:port/d`,
    `postgres://u:${secret}@one,,two/d`,
    `postgres://u:${secret}%@h/d`,
    `postgres://h/d?password=${secret}`,
    `postgres://h/d?${secret}=1`,
    `postgres://h/d?sslmode=${secret}`,
    `postgres://h/d?sslmode=require&sslrootcert=/none/${secret}`,
  ]) {
    const found = targetOf(url)
    assert.is(E.isLeft(found) && found.left.code, 'CONFIGURATION_INVALID', url)
    assert.not.match(JSON.stringify(found), secret)
  }
})

it('names an option that was probably meant', () => {
  const found = targetOf('postgres://h/d?shema=x')
  assert.match(E.isLeft(found) ? found.left.message : '', 'did you mean schema?')
})

it.run()

import { EventStoreDBClient } from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator, type Emulator } from './emulator.ts'
import { appendAt, collected, failure, failureOf } from './with-client.ts'

const it = suite('access to the EventStoreDB emulator')

const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  ada: { password: 'a:b@c', groups: ['writers'] },
  bob: { password: 'bob' },
}

type World = { readonly server: Emulator; readonly clientOf: (name?: string, password?: string) => EventStoreDBClient }

const withUsers = async (use: (world: World) => Promise<void>): Promise<void> => {
  const server = await startEmulator({ tls: true, users })
  const clients: EventStoreDBClient[] = []
  try {
    await use({
      server,
      clientOf: (name, password = '') => {
        const to = name === undefined ? server.connectionString : server.connectionStringOf(name, password)
        const client = EventStoreDBClient.connectionString(to)
        clients.push(client)
        return client
      },
    })
  } finally {
    for (const client of clients) await client.dispose()
    await server.stop()
  }
}

it('speaks TLS to those who trust its certificate, with a name and a password', () =>
  withUsers(async ({ clientOf }) => {
    const ada = clientOf('ada', 'a:b@c')
    assert.is((await appendAt(ada, 's', 'no_stream', 2)).nextExpectedRevision, 1n)
    assert.is((await collected(ada.readStream('s'))).length, 2)
  }))

it('speaks to nobody who does not, or who speaks no TLS', () =>
  withUsers(async ({ server }) => {
    for (const query of ['tls=true', 'tls=false']) {
      const client = EventStoreDBClient.connectionString(`esdb://ada:x@127.0.0.1:${server.port}?${query}`)
      assert.match(String(await failure(appendAt(client, 's', 'any'))), 'UNAVAILABLE')
      await client.dispose()
    }
  }))

it('refuses a wrong password, an unknown user, and nobody', () =>
  withUsers(async ({ clientOf }) => {
    for (const client of [clientOf('ada', 'wrong'), clientOf('eve', 'a:b@c'), clientOf()]) {
      assert.is(await failureOf(appendAt(client, 's', 'any')), 'access-denied')
      assert.is(await failureOf(collected(client.readStream('s'))), 'access-denied')
    }
    const wrong = clientOf('ada', 'wrong')
    assert.match(String(await failure(appendAt(wrong, 's', 'any'))), 'UNAUTHENTICATED')
    assert.match(String(await failure(collected(wrong.readStream('s')))), 'UNAUTHENTICATED')
  }))

it('lets administrators do everything, and others what the lists say', () =>
  withUsers(async ({ clientOf }) => {
    const [admin, ada, bob] = [clientOf('admin', 'changeit'), clientOf('ada', 'a:b@c'), clientOf('bob', 'bob')]
    assert.is(await failureOf(appendAt(bob, 's', 'no_stream')), undefined)
    await admin.setStreamMetadata('s', {
      acl: { writeRoles: ['writers'], readRoles: ['$all'], deleteRoles: '$admins' } as never,
    })
    assert.is(await failureOf(appendAt(ada, 's', 'any')), undefined)
    assert.is(await failureOf(appendAt(bob, 's', 'any')), 'access-denied')
    assert.is((await collected(bob.readStream('s'))).length, 2)
    assert.is(await failureOf(bob.tombstoneStream('s')), 'access-denied')
    assert.is(await failureOf(admin.tombstoneStream('s')), undefined)
    // What is the system's own, and everything at once, is for administrators.
    assert.is(await failureOf(collected(ada.readAll())), 'access-denied')
    assert.is(await failureOf(collected(admin.readAll())), undefined)
    await admin.setStreamMetadata('$all', { acl: { readRoles: 'writers' } as never })
    assert.is(await failureOf(collected(ada.readAll())), undefined)
    assert.is(await failureOf(collected(bob.readAll())), 'access-denied')
  }))

it.run()

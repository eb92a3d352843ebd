import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClientError } from '../../../adapters/store-eventstoredb/log-client.ts'
import { startCluster } from './emulator/cluster.ts'
import { startEmulator, type Emulator, type EmulatorOptions } from './emulator/emulator.ts'
import { anyEvent, failureOf, troubleOf, type Times } from './any-log.ts'
import { startProxy } from '../proxy.ts'

const it = suite('EventStoreDB client: connecting')

const SECRET = 'hunter2secret'

const refusalOf = async (connectionString: string, times: Times = {}): Promise<LogClientError> => {
  const error = await failureOf(connectClient({ connectionString, ...times }))
  assert.not.match(`${error.message} ${error.stack}`, SECRET)
  assert.not.match(error.message, '\n')
  assert.not.match(error.message, '@')
  return error
}

const withServer = async (use: (server: Emulator) => Promise<void>, options: EmulatorOptions = {}): Promise<void> => {
  const server = await startEmulator(options)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

for (const version of ['20.6.1', '20.10.5', '21.10.9', '22.5.0'])
  it(`refuses a server of ${version}, which does not tell positions`, () =>
    withServer(
      async ({ connectionString }) => {
        const { trouble, message } = await refusalOf(connectionString)
        assert.equal(
          [trouble, message],
          [{ _tag: 'unusable' }, 'the server is too old: EventStoreDB 22.6 or newer, or KurrentDB, is needed'],
        )
      },
      { version },
    ))

for (const version of ['22.6.0', '22.10.4', '24.10.1', '25.0.1.3089', '26.1.0-rc.1'])
  it(`takes a server of ${version}`, () =>
    withServer(
      async ({ connectionString }) => {
        const client = await connectClient({ connectionString })
        assert.is((await client.append('s', 'none', [anyEvent()])).revision, 0n)
        await client.close()
      },
      { version },
    ))

/** A server that somebody has built. */
const unnamed = { version: '0.0.0', batchAppend: true, serverFeatures: true, caughtUp: true }

it('looks whether a server without a version tells positions', async () => {
  await withServer(
    async ({ connectionString }) => assert.match((await refusalOf(connectionString)).message, 'too old'),
    { ...unnamed, positionsInStreams: false },
  )
  await withServer(
    async ({ connectionString }) => {
      const client = await connectClient({ connectionString })
      assert.is((await client.append('s', 'none', [anyEvent()])).revision, 0n)
      await client.close()
    },
    { ...unnamed, positionsInStreams: true },
  )
})

const users = {
  ada: { password: 'right', groups: ['$admins'] },
  bob: { password: 'right' },
}

it('connects over TLS, with a password, and to its server only', () =>
  withServer(
    async (server) => {
      const client = await connectClient({ connectionString: server.connectionStringOf('ada', 'right') })
      await client.append('s', 'none', [anyEvent()])
      await client.close()
    },
    { tls: true, users },
  ))

it('says that the password is wrong, or that there is none, and which rights are missing', () =>
  withServer(
    async (server) => {
      for (const [name, password] of [
        ['ada', SECRET],
        [SECRET, 'right'],
      ] as const) {
        const { trouble, message } = await refusalOf(server.connectionStringOf(name, password))
        assert.equal(
          [trouble, message],
          [{ _tag: 'denied' }, 'the server refuses the user, the password or the certificate of the store'],
        )
      }
      for (const url of [server.connectionString, server.connectionStringOf('bob', 'right')]) {
        const { trouble, message } = await refusalOf(url)
        assert.equal(
          [trouble, message],
          [{ _tag: 'denied' }, 'the user of the store has not the rights that it needs on the server'],
        )
      }
    },
    { tls: true, users },
  ))

it('tells a right that is missing for one stream', () =>
  withServer(
    async (server) => {
      const setRights = (stream: string, rights: object): void => {
        const data = Buffer.from(JSON.stringify({ $acl: rights }))
        const event = { ...anyEvent(), type: '$metadata', contentType: 'application/json', data }
        server.log.append(`$$${stream}`, 'any', [event])
      }
      setRights('$all', { $r: ['bob'] })
      setRights('closed', { $w: ['ada'], $r: ['ada'], $d: ['ada'] })
      const client = await connectClient({ connectionString: server.connectionStringOf('bob', 'right') })
      await client.append('open', 'none', [anyEvent()])
      for (const call of [
        client.append('closed', 'none', [anyEvent()]),
        client.readStream('closed', { from: 'start', limit: 1 }),
        client.tombstone('closed'),
      ])
        assert.is((await troubleOf(call))._tag, 'denied')
      await client.close()
    },
    { tls: true, users },
  ))

it('says that the certificate is not trusted, and how to trust it', () =>
  withServer(
    async ({ port }) => {
      const { trouble, message } = await refusalOf(`esdb://ada:${SECRET}@127.0.0.1:${port}`)
      assert.equal(
        [trouble, message],
        [
          { _tag: 'unusable' },
          `the server cannot be reached: 127.0.0.1:${port} has a certificate that is not trusted: name its authority with tlsCAFile`,
        ],
      )
    },
    { tls: true },
  ))

it('says when one side speaks TLS and the other does not', async () => {
  await withServer(
    async ({ port }) => {
      const { trouble, message } = await refusalOf(`esdb://127.0.0.1:${port}?tls=false`)
      assert.is(trouble._tag, 'unusable')
      assert.match(message, `127.0.0.1:${port} speaks TLS: take tls=false out of the URL`)
    },
    { tls: true },
  )
  await withServer(async ({ port }) => {
    const { trouble, message } = await refusalOf(`esdb://ada:${SECRET}@127.0.0.1:${port}`)
    assert.is(trouble._tag, 'unusable')
    assert.match(message, `127.0.0.1:${port} does not speak TLS: add tls=false`)
  })
})

it('says that there is no server, and where', async () => {
  const { port, stop } = await startEmulator()
  await stop()
  const { trouble, message } = await refusalOf(`esdb://ada:${SECRET}@127.0.0.1:${port}?tls=false`)
  assert.equal(
    [trouble, message],
    [{ _tag: 'unavailable' }, `the server cannot be reached: 127.0.0.1:${port} refuses connections`],
  )
})

it('says that a name is wrong, of one host or of one among several', () =>
  withServer(async ({ port }) => {
    const one = await refusalOf(`esdb://u:${SECRET}@countersign.invalid:${port}?tls=false`)
    assert.equal(
      [one.trouble, one.message],
      [{ _tag: 'unusable' }, `the server cannot be reached: countersign.invalid:${port} is no host that there is`],
    )
    const two = await refusalOf(`esdb://u:${SECRET}@127.0.0.1:${port},countersign.invalid:${port}?tls=false`)
    assert.equal(
      [two.trouble, two.message],
      [{ _tag: 'unusable' }, 'entry 2 of the hosts is wrong: there is no host named countersign.invalid'],
    )
  }))

it('does without a host of the list that is down', () =>
  withServer(async ({ port }) => {
    const gone = await startEmulator()
    await gone.stop()
    const client = await connectClient({
      connectionString: `esdb://127.0.0.1:${gone.port},127.0.0.1:${port}?tls=false`,
    })
    assert.is((await client.append('s', 'none', [anyEvent()])).revision, 0n)
    await client.close()
  }))

it('says that there is no leader, after as many attempts as the URL allows', async () => {
  const cluster = await startCluster()
  cluster.depose()
  const { trouble, message } = await refusalOf(`${cluster.connectionString}&maxDiscoverAttempts=3&discoveryInterval=20`)
  assert.is(trouble._tag, 'unavailable')
  assert.match(message, /no leader|where its leader is/)
  assert.ok(cluster.looks() >= 3 && cluster.looks() <= 9, `${cluster.looks()} looks`)
  await cluster.stop()
})

it('waits for the leader as long as the URL allows', async () => {
  const cluster = await startCluster()
  cluster.depose()
  void cluster.looked(10).then(() => cluster.elect(1))
  const client = await connectClient({
    connectionString: `${cluster.connectionString}&maxDiscoverAttempts=100&discoveryInterval=50`,
  })
  await client.checkLeader()
  await client.close()
  await cluster.stop()
})

it('says that a server does not answer', () =>
  withServer(async (server) => {
    const proxy = await startProxy(server)
    proxy.hang()
    const { trouble, message } = await refusalOf(`esdb://127.0.0.1:${proxy.port}?tls=false`, { connectTimeoutMs: 500 })
    assert.equal([trouble, message], [{ _tag: 'unavailable' }, 'the server does not answer: try again'])
    await proxy.close()
  }))

it('refuses a URL that cannot be used, before it connects', async () => {
  assert.match((await refusalOf(`http://u:${SECRET}@h`)).message, 'it begins with esdb://')
  assert.is((await troubleOf(connectClient({ connectionString: 'esdb://h?tsl=false' })))._tag, 'unusable')
})

it('prints nothing, even if the client is asked to', async () => {
  process.env['DEBUG'] = 'esdb*'
  await withServer(
    async (server) => {
      // What a thread prints comes out of this process's own streams.
      const write = process.stderr.write.bind(process.stderr)
      let printed = ''
      process.stderr.write = (text: string | Uint8Array) => {
        printed += Buffer.from(text).toString()
        return true
      }
      try {
        const client = await connectClient({ connectionString: server.connectionStringOf('ada', 'right') })
        await client.append('s', 'none', [anyEvent()])
        await client.close()
      } finally {
        process.stderr.write = write
      }
      assert.is(printed, '')
    },
    { tls: true, users },
  )
  delete process.env['DEBUG']
})

it.run()

import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient, TurnkeyRequestError } from '@turnkey/http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, run, serve } from './run-cli.ts'
import { rootClient } from './root-client.ts'

const it = suite('serve --fresh-queries')

const HOUR_MS = 60 * 60 * 1000
const cwd = folder()

/** What a server answers to queries, each by what it is: the status, and where it is refused the field that is wrong. */
const answersOf = async (flags: readonly string[], env: { readonly [name: string]: string } = {}) => {
  const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json', ...flags], {
    cwd,
    env,
  })
  try {
    const client = await rootClient(join(cwd, 'c.json'))
    const asked = async (members: { readonly timestampMs?: string }): Promise<string> => {
      const { status, body } = await client.query('whoami', members)
      return status === 200 ? 'answered' : `${status} ${String(body['turnkeyErrorCode'])} ${String(body['message'])}`
    }
    const now = Date.now()
    return {
      'just now': await asked({ timestampMs: String(now) }),
      'stamped an hour ago': await asked({ timestampMs: String(now - HOUR_MS) }),
      'of an official client': await official(server.url),
      'of our command': (await run(['request', 'whoami', '--credentials', 'c.json'], { cwd })).code,
    }
  } finally {
    await server.stop()
  }
}

const official = async (baseUrl: string): Promise<string> => {
  const { organizationId, apiPublicKey, apiPrivateKey } = json(join(cwd, 'c.json'))
  const stamper = new ApiKeyStamper({ apiPublicKey: String(apiPublicKey), apiPrivateKey: String(apiPrivateKey) })
  try {
    await new TurnkeyClient({ baseUrl }, stamper).getWhoami({ organizationId: String(organizationId) })
    return 'answered'
  } catch (error) {
    return error instanceof TurnkeyRequestError ? `${error.code} ${JSON.stringify(error.details)}` : String(error)
  }
}

const EXPECTED = 'expected a time less than 1 hour old and at most 5 minutes ahead'

it('refuses a query that does not say that it was asked now, also where it is sent again later', async () => {
  const answers = await answersOf(['--fresh-queries'])
  assert.is(answers['just now'], 'answered')
  assert.is(answers['of our command'], 0)
  assert.is(answers['stamped an hour ago'], `400 REQUEST_INVALID invalid timestampMs: ${EXPECTED}`)
  assert.match(answers['of an official client'], /^3 .*"field":"timestampMs"/)
})

it('is off unless it is given, as a flag or a variable', async () => {
  const all = {
    'just now': 'answered',
    'stamped an hour ago': 'answered',
    'of an official client': 'answered',
    'of our command': 0,
  }
  assert.equal(await answersOf([]), all)
  assert.equal(await answersOf([], { COUNTERSIGN_FRESH_QUERIES: 'no' }), all)
  assert.is.not((await answersOf([], { COUNTERSIGN_FRESH_QUERIES: '1' }))['of an official client'], 'answered')
})

it.run()

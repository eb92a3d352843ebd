/* The server of a console, as somebody starts it in a shell, and people in browsers of their own. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters/free-port.ts'
import { folder, json, runProcess as run, start, type Started } from '../../../adapters/cli/run-cli.ts'
import { pageOfSomebody } from '../chromium.ts'

export type Scene = {
  /** Named as this machine, because a passkey belongs to a name. */
  readonly url: string
  readonly organizationId: string
  /** The text of the credentials file of the root user. */
  readonly root: string
  /** Makes a user with a key; gives the text of the credentials file. */
  readonly enrol: (name: string) => Promise<string>
  /** Submits as the root user; gives the activity. */
  readonly submit: (operation: string, parameters: object) => Promise<Submitted>
  readonly query: (query: string) => Promise<{ readonly [member: string]: unknown }>
  /** Erases the data of a deleted user, and the requests that hold them. */
  readonly erase: (userId: string) => Promise<void>
  /** Kills the server with SIGKILL. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Submitted = {
  readonly id: string
  readonly status: string
  readonly fingerprint: string
  readonly result: { readonly [name: string]: { readonly userIds?: readonly string[] } }
}

/** Starts `countersign serve --init --console` in a folder of its own. */
export const scene = async (): Promise<Scene> => {
  const cwd = folder()
  const port = await freePort()
  let server: Started
  const begin = async (): Promise<void> => {
    const offers = ['--console', '--webhook-operations', '--erasure', '--keystore', 'file:keystore']
    server = start(['serve', '--init', '--port', String(port), ...offers], { cwd })
    await server.said(/^listening on (http:\/\/\S+)\n/)
  }
  const made = await run(['keystore', 'create', 'keystore'], { cwd })
  assert.is(made.code, 0, made.stderr)
  await begin()
  const file = (name: string): string => JSON.stringify(json(join(cwd, 'data', name)))
  const command = async (...args: readonly string[]): Promise<{ readonly [member: string]: unknown }> => {
    const { code, stdout, stderr } = await run(args, { cwd })
    assert.is(code, 0, stderr)
    return stdout === '' ? {} : (JSON.parse(stdout) as { readonly [member: string]: unknown }) // as `request` prints it
  }
  const submit = async (operation: string, parameters: object): Promise<Submitted> =>
    (await command('request', operation, JSON.stringify(parameters)))['activity'] as Submitted // of a submit
  return {
    url: `http://localhost:${port}`,
    organizationId: String(json(join(cwd, 'data/credentials.json'))['organizationId']),
    root: file('credentials.json'),
    enrol: async (name) => {
      const made = await run(['keygen', '--credentials', 'data/credentials.json', '--out', `data/${name}.json`], {
        cwd,
      })
      assert.is(made.code, 0, made.stderr)
      const { apiPublicKey: publicKey } = json(join(cwd, 'data', `${name}.json`))
      const key = { apiKeyName: 'laptop', curveType: 'API_KEY_CURVE_P256', publicKey }
      const user = { userName: name, userTags: [], authenticators: [], oauthProviders: [], apiKeys: [key] }
      await submit('create_users', { users: [user] })
      return file(`${name}.json`)
    },
    submit,
    query: (query) => command('request', query),
    erase: async (userId) => void (await command('erase', '--user', userId, '--yes', '--json')),
    kill: async () => {
      server.child.kill('SIGKILL')
      await server.ended
    },
    start: begin,
    close: async () => {
      server.child.kill('SIGTERM')
      await server.ended
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

type Users = { readonly users: readonly { readonly userId: string; readonly userName: string }[] }

export const usersOf = async ({ query }: Scene): Promise<Users['users']> => ((await query('list_users')) as Users).users // as it answers

/** Somebody with a browser of their own, which counts what it asks of others than the server, and what goes wrong in the page. */
export type Somebody = {
  readonly page: Page
  /** The URLs of other origins that it asked for. */
  readonly elsewhere: readonly string[]
  /** Errors of the page, and what its policy has blocked. */
  readonly errors: readonly string[]
}

export const somebody = async (browser: Browser, url: string, options?: BrowserContextOptions): Promise<Somebody> => {
  const page = await pageOfSomebody(browser, options)
  const elsewhere: string[] = []
  const errors: string[] = []
  page.context().on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(`${url}/`) && !asked.startsWith('data:') && !asked.startsWith('blob:')) elsewhere.push(asked)
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !/net::ERR|status of \d/.test(text)) errors.push(text)
  })
  return { page, elsewhere, errors }
}

/** Opens the console, and signs in with the text of a credentials file. */
export const signIn = async (page: Page, url: string, file: string, keep = false): Promise<void> => {
  await page.goto(`${url}/console`)
  if (keep) await page.getByLabel('Keep on this device').check()
  await page.getByLabel('Credentials file').fill(file)
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Shows a view by its address. */
export const show = async (page: Page, url: string, view: string): Promise<void> => {
  await page.goto(`${url}/console#/${view}`)
}

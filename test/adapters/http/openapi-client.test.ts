import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateSource } from 'oazapfts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { compile } from '../../compiler.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { testClock, world } from '../../core/world/world.ts'
import { serving } from './transport.ts'

const it = suite('a client that was generated from the OpenAPI document')

/** What somebody writes who has nothing but the client: all of it must fit the client's types. */
const PROGRAM = `
import { approveActivity, createUserTag, defaults, getActivity, whoami } from './client.ts'

export const program = async (baseUrl: string, fetch: typeof globalThis.fetch, organizationId: string) => {
  Object.assign(defaults, { baseUrl, fetch })
  const timestampMs = String(Date.now())
  const submitted = await createUserTag({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs,
    organizationId,
    parameters: { userTagName: 'treasury', userIds: [] },
  })
  if (submitted.status !== 200) throw new Error(submitted.data.message)
  const { activity } = submitted.data
  const tagId: string | undefined = activity.result.createUserTagResult?.userTagId

  const asked = await getActivity({ organizationId, activityId: activity.id })
  if (asked.status !== 200) throw new Error(asked.data.message)
  const status: 'ACTIVITY_STATUS_COMPLETED' | undefined =
    asked.data.activity.status === 'ACTIVITY_STATUS_COMPLETED' ? asked.data.activity.status : undefined

  const refused = await approveActivity({
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    timestampMs,
    organizationId,
    parameters: { fingerprint: 'sha256:0' },
  })
  if (refused.status !== 404) throw new Error('expected a refusal')

  const me = await whoami({ organizationId })
  // @ts-expect-error -- the name of the tag is missing
  const incomplete: Parameters<typeof createUserTag>[0]['parameters'] = { userIds: [] }
  return { tagId, status, code: refused.data.turnkeyErrorCode, me: me.status === 200 ? me.data : undefined, incomplete }
}
`

type Program = (
  baseUrl: string,
  fetchStamped: typeof fetch,
  organizationId: string,
) => Promise<{ readonly [member: string]: unknown }>

it('compiles, and asks the real server', async () => {
  const scene = await world({ testClock: testClock(Date.now()) })
  const { path, remove } = await temporaryFolder()
  await serving(scene.engine, {}, async (url) => {
    writeFileSync(join(path, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
    writeFileSync(join(path, 'client.ts'), await generateSource(join(path, 'openapi.json')))
    writeFileSync(join(path, 'program.ts'), PROGRAM)
    writeFileSync(join(path, 'package.json'), '{ "type": "module" }')
    symlinkSync(resolve('node_modules'), join(path, 'node_modules'))
    assert.is(compile(path, [...flags, '--skipLibCheck', '--types', 'node', 'program.ts']), '')

    scene.clock.set(Date.now())
    const { program } = (await import(pathToFileURL(join(path, 'program.ts')).href)) as { readonly program: Program } // as it was written
    const { tagId, status, code, me } = await program(url, stamping(scene.root.key), scene.organizationId)
    assert.match(String(tagId), /^[0-9a-f-]{36}$/)
    assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(code, 'REQUEST_INVALID')
    assert.is((me as { readonly userId: string }).userId, scene.root.userId)
  })
  await scene.close()
  await remove()
})

/** `fetch` for whoever has a key: what goes out is stamped. */
const stamping =
  (key: SigningKey): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    if (typeof init?.body === 'string') headers.set('X-Stamp', stamp(key, Buffer.from(init.body)))
    return fetch(input, { ...init, headers })
  }

const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']

it.run()

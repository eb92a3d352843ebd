import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stampHeadersOf } from '../../../core/command/read-request.ts'
import { E } from '../../../core/prelude.ts'
import type { Request } from '../../../core/request.ts'
import { codeOf, stamped, world } from '../world/world.ts'

const it = suite('authentication')

const stampsIn = (headers: Request['headers']) => stampHeadersOf({ headers, body: new Uint8Array(), address: null })

it('finds the stamp headers, however their names are written, among any others', () => {
  assert.equal(
    stampsIn({ host: 'a', accept: 'b', 'X-STAMP': 's', via: ['c', 'd'] }),
    E.right(new Map([['X-Stamp', 's']])),
  )
  assert.equal(
    stampsIn({ 'x-stamp-webauthn': 'w', 'X-Stamp-Attested': 'a', 'x-stamp': undefined }),
    E.right(
      new Map([
        ['X-Stamp-WebAuthn', 'w'],
        ['X-Stamp-Attested', 'a'],
      ]),
    ),
  )
  assert.equal(stampsIn({ host: 'a', 'x-stamps': 's' }), E.right(new Map()))
})

it('takes no stamp header that was sent twice', () => {
  for (const headers of [{ 'x-stamp': ['s', 's'] }, { 'x-stamp': 's', 'X-Stamp': 's' }, { 'x-stamp': ['s'] }])
    assert.is(codeOf(stampsIn(headers)), 'REQUEST_INVALID')
})

it('refuses in the order of the wire: whoever has several mistakes hears of the first', async () => {
  const w = await world()
  const stranger = await world()
  const encoded = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json))
  const good = encoded({ organizationId: w.organizationId })
  const elsewhere = encoded({ organizationId: '0b0f1f6e-7a57-4c0a-9d5e-5a3d1f1b2c3d' })
  const twice = { 'x-stamp': ['s', 's'] }
  const { headers } = stamped(w.root, good)
  const refusals: readonly (readonly [code: string, body: Uint8Array, headers: Request['headers']])[] = [
    ['REQUEST_INVALID', new TextEncoder().encode('{'), twice],
    ['INVALID_ORGANIZATION_ID', encoded({}), twice],
    ['REQUEST_INVALID', elsewhere, twice],
    ['SIGNATURE_MISSING', elsewhere, {}],
    ['UNAUTHENTICATED', elsewhere, { 'x-stamp': 's' }],
    ['ORGANIZATION_NOT_FOUND', elsewhere, headers],
    ['PUBLIC_KEY_NOT_FOUND', good, stamped(stranger.root, good).headers],
    ['SIGNATURE_INVALID', encoded({ organizationId: w.organizationId, more: 1 }), headers],
    ['no failure', good, headers],
  ]
  for (const [code, body, sent] of refusals)
    assert.is(codeOf(await w.engine.query('whoami', { headers: sent, body, address: null })()), code)
  await w.close()
})

it.run()

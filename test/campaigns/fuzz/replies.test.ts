import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faultsOf, type Reply } from './replies.ts'
import type { Shot } from './shots.ts'

const it = suite('what is wrong with a reply')

const shot: Shot = { bytes: new Uint8Array(0), isBroken: false, mustFail: false, secrets: ['canary-1', 'c3RhbXA'] }
const error = (more: object = {}): string => JSON.stringify({ code: 3, message: 'no', details: [], ...more })
const refused: Reply = { status: 400, body: error(), isJson: true }

it('is nothing for an answer, or for an error as errors are', () => {
  assert.equal(faultsOf(shot, [{ status: 200, body: 'canary-1', isJson: true }]), [])
  assert.equal(faultsOf(shot, [refused]), [])
})

const faulty: readonly (readonly [string, Reply | undefined, Partial<Shot>])[] = [
  ['our own fault', { ...refused, status: 500 }, {}],
  ['no answer', undefined, {}],
  ['an error that is no JSON', { ...refused, body: 'no' }, {}],
  ['an error that does not say so', { ...refused, isJson: false }, {}],
  ['an error without details', { ...refused, body: error({ details: undefined }) }, {}],
  ['an error whose details are no list', { ...refused, body: error({ details: {} }) }, {}],
  ['an error that repeats the body', { ...refused, body: error({ message: 'what is canary-1?' }) }, {}],
  ['an error that repeats the stamp', { ...refused, body: error({ details: [{ stamp: 'c3RhbXA' }] }) }, {}],
  ['an answer where only a refusal will do', { ...refused, status: 200 }, { mustFail: true }],
]
for (const [name, reply, more] of faulty)
  it(`is ${name}`, () => assert.is(faultsOf({ ...shot, ...more }, reply === undefined ? [] : [reply]).length, 1))

it('is not silence where what was sent was no HTTP', () => assert.equal(faultsOf({ ...shot, isBroken: true }, []), []))

it.run()

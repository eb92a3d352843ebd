import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secretBytes, secretText, sightings } from './secret.ts'

const it = suite('secrets')

const text = 'a secret of some length'
const hex = '00112233445566778899aabbccddeeff'

it('are seen in every form, wherever they stand', () => {
  const secret = [secretText('it', text)]
  for (let before = 0; before < 5; before += 1) {
    const whole = Buffer.from(`${'x'.repeat(before)}${text}yz`)
    const forms = ['utf8', 'hex', 'base64', 'base64url'] as const
    for (const form of forms) assert.is(sightings(secret, form, whole.toString(form)).length, 1, `${form} ${before}`)
    assert.is(sightings(secret, 'UTF-16', Buffer.from(whole.toString(), 'utf16le')).length, 1)
  }
})

it('are seen as bytes and as the text of their hex', () => {
  const secret = [secretBytes('it', hex)]
  const bytes = Buffer.from(hex, 'hex')
  for (const shown of [bytes, hex, hex.toUpperCase(), bytes.toString('base64'), Buffer.from(hex).toString('base64')])
    assert.is(sightings(secret, 'there', shown).length, 1)
})

it('are not seen where they are not', () => {
  assert.equal(sightings([secretText('it', text)], 'there', text.slice(1)), [])
})

it.run()

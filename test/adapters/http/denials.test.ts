import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp } from '../../../adapters/signatures/signer.ts'
import { world } from '../../core/world/world.ts'
import { serving } from './transport.ts'

const it = suite('denials over HTTP')

it('are 403 up to the limit of a day, and then 429 without a time to try again', async () => {
  const { body, close, engine, enrol } = await world({ denialsPerDayMax: 1 })
  const { key } = await enrol('mallory')
  await serving(engine, {}, async (url) => {
    const send = async (bytes: Uint8Array): Promise<readonly unknown[]> => {
      const headers = { 'X-Stamp': stamp(key, bytes) }
      const path = `${url}/public/v1/submit/create_user_tag`
      const answer = await fetch(path, { method: 'POST', body: bytes.slice(), headers })
      const code = /"turnkeyErrorCode":"(\w+)"/.exec(await answer.text())?.[1]
      return [answer.status, code, answer.headers.get('retry-after')]
    }
    const tag = (userTagName: string) => body('create_user_tag', { userTagName, userIds: [] })
    const [first, second] = [tag('one'), tag('two')]
    assert.equal(await send(first), [403, 'REQUEST_NOT_AUTHORIZED', null])
    assert.equal(await send(second), [429, 'RATE_LIMIT_EXCEEDED', null])
    assert.equal(await send(first), [403, 'REQUEST_NOT_AUTHORIZED', null])
  })
  await close()
})

it.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf } from './random.ts'
import { runWebhooks } from './webhooks/campaign.ts'

const it = suite('crashes while endpoints are told')

it('lose no delivery, and repeat some with the same id and bytes', async () => {
  assert.equal(await runWebhooks({ kills: 2, submits: 30 }, randomOf('webhooks'), () => undefined), [])
})

it.run()

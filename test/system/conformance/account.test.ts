import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureName } from '../../../core/organization/features.ts'
import { operationExamples } from '../../core/resources/all-examples.ts'
import { json, parametersOf, wireDoor } from '../../core/resources/scene.ts'
import { onStage } from './stage.ts'

const it = suite('what the account of the public API rests on besides the journey')

it('takes each older type of an activity', () =>
  onStage(async ({ root, enrol, engine, organizationId, post }) => {
    const people = { root: root.userId, user: (await enrol('ada')).userId }
    const door = wireDoor(organizationId, people, async (path, body) => {
      const reply = await post(root, path.replace('/public/v1/', ''), Buffer.from(body).toString())
      return JSON.stringify(reply.body)
    })
    for (const example of operationExamples.filter(({ operation }) => engine.catalogue.operations.includes(operation)))
      for (const type of [...example.valid.keys()].slice(1))
        await door.submit(example.operation, type, json(await parametersOf(door, example, type)))
  }))

it('sets each feature', () =>
  onStage(async ({ root, post, bytes }) => {
    for (const name of Object.keys(FeatureName.keys)) {
      const value = /ORIGINS|WEBHOOK/.test(name) ? 'https://example.org' : 'on'
      const body = bytes('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value })
      assert.is((await post(root, 'submit/set_organization_feature', body)).status, 200, name)
    }
  }))

it('answers the internal paths with the least that their definitions allow', () =>
  onStage(async ({ url, organizationId }) => {
    const bodies = { noop: {}, flags: {}, limits: { organizationId, isSetLimit: true, limit: 1 } }
    const ask = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`${url}/tkhq/api/v1/${path}`, { method: 'POST', body: JSON.stringify(body) })
      return response.json()
    }
    const stamp = { credentialId: '', clientDataJson: '', authenticatorData: '', signature: '' }
    assert.equal(await ask('noop-codegen-anchor', bodies.noop), { stamp })
    assert.equal(await ask('refresh_feature_flags', bodies.flags), {})
    assert.equal(await ask('test_rate_limits', bodies.limits), {})
  }))

it.run()

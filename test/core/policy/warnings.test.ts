import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { warningsOf, type KnownNames } from '../../../core/policy/warnings.ts'

const it = suite('warnings of policies')

const OFFICERS = '0b533bf2-2122-82dd-8f42-3cf7c122bd0c'
const NOBODYS = '00000000-0000-4000-8000-000000000000'

const known: KnownNames = {
  values: {
    type: new Set(['ACTIVITY_TYPE_CREATE_USERS_V4', 'ACTIVITY_TYPE_CREATE_USERS']),
    kind: new Set(['CREATE_USERS']),
    resource: new Set(['USER', 'POLICY']),
    action: new Set(['CREATE', 'DELETE']),
  },
  params: new Set(['user_id']),
  tags: new Map([[OFFICERS, 'officers']]),
}
const ofCondition = (condition: string, names = known) => warningsOf({ condition, consensus: '' }, names)
const ofConsensus = (consensus: string, names = known) => warningsOf({ condition: '', consensus }, names)

it('are not there where a policy names what is there', () => {
  assert.equal(
    ofCondition(
      "activity.resource == 'USER' && activity.action in ['CREATE', 'DELETE'] && activity.kind != 'CREATE_USERS' || " +
        "['ACTIVITY_TYPE_CREATE_USERS'].contains(activity.type) && activity.params.user_id == 'anything'",
    ),
    [],
  )
  assert.equal(ofConsensus(`approvers.any(user, user.tags.contains('${OFFICERS}') && user.alias == 'officers')`), [])
  assert.equal(warningsOf({ condition: '', consensus: '' }, known), [])
})

it('name a value that no operation has, on either side of a comparison and in lists', () => {
  assert.equal(ofCondition("activity.resource == 'USERS'"), ["condition: no operation has the resource 'USERS'"])
  assert.equal(ofCondition("'create' == activity.action"), ["condition: no operation has the action 'create'"])
  assert.equal(ofCondition("!(activity.kind in ['CREATE_USERS', 'CREATE_USER', 'CREATE_USER'])"), [
    "condition: no operation has the kind 'CREATE_USER'",
  ])
  assert.equal(ofCondition("['ACTIVITY_TYPE_X'].contains(activity.type)"), [
    "condition: no operation has the type 'ACTIVITY_TYPE_X'",
  ])
})

it('name a parameter that no operation shows, unless somebody does not say what it shows', () => {
  const condition = "activity.params.amount[0..2] == 'DE' && activity.params.user_id == 'a'"
  assert.equal(ofCondition(condition), ["condition: no operation shows the parameter 'amount'"])
  assert.equal(ofCondition(condition, { ...known, params: undefined }), [])
})

it('name a tag that is named by its name, or that nobody has', () => {
  const named = [`consensus: tags are named by id, and 'officers' is the name of the tag ${OFFICERS}`]
  for (const text of [
    "approvers.any(user, user.tags.contains('officers'))",
    "approvers.filter(user, 'officers' in user.tags).count() >= 2",
    "approvers.any(user, user.tags.any(tag, tag == 'officers'))",
    "approvers.any(user, user.tags.filter(tag, 'officers' == tag).count() > 0)",
    "approvers[0].tags[0] == 'officers'",
    "approvers[0].tags[0..2].contains('officers')",
  ])
    assert.equal(ofConsensus(text), named, text)
  assert.equal(ofConsensus(`approvers.any(user, user.tags.contains('${NOBODYS}'))`), [
    `consensus: no tag has the id '${NOBODYS}'`,
  ])
  assert.equal(ofConsensus("approvers.any(user, user.tags.any(tag, approvers.any(tag, tag.id == 'officers')))"), [])
})

it('know the form of ids, where they know no organization', () => {
  const anywhere = { ...known, tags: undefined }
  assert.equal(ofConsensus(`approvers.any(user, user.tags.contains('${NOBODYS}'))`, anywhere), [])
  assert.equal(ofConsensus("approvers.any(user, user.tags.contains('officers'))", anywhere), [
    "consensus: tags are named by id, and 'officers' is none",
  ])
})

it('tell of a part that is compared with a text of another length', () => {
  const never = (part: number, text: number) => [
    `condition: a part of ${part} characters never equals a text of ${text}`,
  ]
  assert.equal(ofCondition("eth.tx.data[0..10] == '0xa9059cb'"), never(10, 9))
  assert.equal(ofCondition("'0xa9059cb' != eth.tx.data[0..10]"), never(10, 9))
  assert.equal(ofCondition("eth.tx.data[0..10] in ['0xa9059cbb', '0x']"), never(10, 2))
  assert.equal(ofCondition("eth.tx.data[0..10] == '0xa9059cbb' && eth.tx.data[0..eth.tx.gas] == ''"), [])
})

it('tell of keywords of which an activity has only one', () => {
  const found = ['condition: wallet and private_key are never both there']
  assert.equal(ofCondition("wallet.id == 'a' || private_key.id == 'b'"), found)
  assert.equal(ofCondition("private_key.label == 'a' && ['b'].any(wallet, wallet == 'b')"), [])
})

it('are few and short, however long the policy is', () => {
  const clauses = Array.from({ length: 500 }, (_, n) => `activity.resource == '${n}${'x'.repeat(200)}'`)
  const warnings = ofCondition(clauses.join(' || '))
  assert.is(warnings.length, 20)
  assert.ok(warnings.every((warning) => warning.length < 120))
})

it('take any text, and have none where it is no expression', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (condition, consensus) => {
    warningsOf({ condition, consensus }, known)
  })) // prettier-ignore
  assert.equal(ofCondition("activity.resource == 'USERS' &&"), [])
})

it.run()

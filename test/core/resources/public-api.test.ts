import { publicApi } from '../../../core/resources/public-api.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue } from '../../../core/definition/catalogue.ts'
import * as api from '../../../core/api.ts'
import { publicOperations } from '../world/with-host.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('public api')

// path, resource and action, then each version's type without its prefix, its intent's name and its result's
const EXPECTED = [
  'update_organization_name -',
  '  UPDATE_ORGANIZATION_NAME updateOrganizationNameIntent updateOrganizationNameResult',
  'update_allowed_origins CONFIG/UPDATE',
  '  UPDATE_ALLOWED_ORIGINS updateAllowedOriginsIntent updateAllowedOriginsResult',
  'create_users USER/CREATE',
  '  CREATE_USERS_V4 createUsersIntentV4 createUsersResult',
  '  CREATE_USERS_V3 createUsersIntentV3 createUsersResult',
  '  CREATE_USERS_V2 createUsersIntentV2 createUsersResult',
  '  CREATE_USERS createUsersIntent createUsersResult',
  'create_api_only_users USER/CREATE',
  '  CREATE_API_ONLY_USERS createApiOnlyUsersIntent createApiOnlyUsersResult',
  'update_user USER/UPDATE',
  '  UPDATE_USER updateUserIntent updateUserResult',
  'update_user_name USER/UPDATE',
  '  UPDATE_USER_NAME updateUserNameIntent updateUserNameResult',
  'update_user_email USER/UPDATE',
  '  UPDATE_USER_EMAIL updateUserEmailIntent updateUserEmailResult',
  'update_user_phone_number USER/UPDATE',
  '  UPDATE_USER_PHONE_NUMBER updateUserPhoneNumberIntent updateUserPhoneNumberResult',
  'delete_users USER/DELETE',
  '  DELETE_USERS deleteUsersIntent deleteUsersResult',
  'create_api_keys CREDENTIAL/CREATE',
  '  CREATE_API_KEYS_V2 createApiKeysIntentV2 createApiKeysResult',
  '  CREATE_API_KEYS createApiKeysIntent createApiKeysResult',
  'delete_api_keys CREDENTIAL/DELETE',
  '  DELETE_API_KEYS deleteApiKeysIntent deleteApiKeysResult',
  'create_authenticators CREDENTIAL/CREATE',
  '  CREATE_AUTHENTICATORS_V2 createAuthenticatorsIntentV2 createAuthenticatorsResult',
  '  CREATE_AUTHENTICATORS createAuthenticatorsIntent createAuthenticatorsResult',
  'delete_authenticators CREDENTIAL/DELETE',
  '  DELETE_AUTHENTICATORS deleteAuthenticatorsIntent deleteAuthenticatorsResult',
  'create_user_tag USER/CREATE',
  '  CREATE_USER_TAG createUserTagIntent createUserTagResult',
  'update_user_tag USER/UPDATE',
  '  UPDATE_USER_TAG updateUserTagIntent updateUserTagResult',
  'delete_user_tags USER/DELETE',
  '  DELETE_USER_TAGS deleteUserTagsIntent deleteUserTagsResult',
  'create_policy POLICY/CREATE',
  '  CREATE_POLICY_V3 createPolicyIntentV3 createPolicyResult',
  '  CREATE_POLICY_V2 createPolicyIntentV2 createPolicyResult',
  '  CREATE_POLICY createPolicyIntent createPolicyResult',
  'create_policies POLICY/CREATE',
  '  CREATE_POLICIES createPoliciesIntent createPoliciesResult',
  'update_policy POLICY/UPDATE',
  '  UPDATE_POLICY_V2 updatePolicyIntentV2 updatePolicyResultV2',
  '  UPDATE_POLICY updatePolicyIntent updatePolicyResult',
  'delete_policy POLICY/DELETE',
  '  DELETE_POLICY deletePolicyIntent deletePolicyResult',
  'delete_policies POLICY/DELETE',
  '  DELETE_POLICIES deletePoliciesIntent deletePoliciesResult',
  'update_root_quorum -',
  '  UPDATE_ROOT_QUORUM updateRootQuorumIntent updateRootQuorumResult',
  'set_organization_feature -',
  '  SET_ORGANIZATION_FEATURE setOrganizationFeatureIntent setOrganizationFeatureResult',
  'remove_organization_feature -',
  '  REMOVE_ORGANIZATION_FEATURE removeOrganizationFeatureIntent removeOrganizationFeatureResult',
]

it('names types, intents and results as the wire does', () => {
  const actual = publicOperations.flatMap(({ path, resource, action, versions }) => [
    `${path} ${resource === undefined || action === undefined ? '-' : `${resource}/${action}`}`,
    ...versions.map(
      ({ type, intentName, resultName }) => `  ${type.replace('ACTIVITY_TYPE_', '')} ${intentName} ${resultName}`,
    ),
  ])
  assert.equal(actual, EXPECTED)
})

it('makes a catalogue', () => assert.ok(E.isRight(catalogue(publicApi))))

it('tells what each operation is for, in one sentence', () => {
  for (const { summary } of publicOperations) assert.match(summary, /^[A-Z][^.]+\.$/)
})

it('has no operation that countersign/api does not export: projections name them', () => {
  const exported = new Set<unknown>(Object.values(api))
  assert.equal(
    publicOperations.filter((operation) => !exported.has(operation)).map(({ path }) => path),
    [],
  )
})

it.run()

import { createSessionProfile } from '../../../../core/resources/session-profile/create-session-profile.ts'
import { getSessionProfile } from '../../../../core/resources/session-profile/get-session-profile.ts'
import { getSessionProfiles } from '../../../../core/resources/session-profile/get-session-profiles.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

const profile = ({ text }: Scene) => ({
  sessionProfileName: text('sessionProfileName'),
  scope: `activity.type == '${text('scope')}'`,
  expirationSeconds: '3600',
  notes: text('notes'),
})

export const examples = [
  example(createSessionProfile, {
    valid: profile,
    refused: [(scene) => ({ ...profile(scene), scope: 'activity.' }), 'REQUEST_INVALID'],
  }),
  asking(
    getSessionProfile,
    async ({ made }) => {
      const { sessionProfileId } = await made(createSessionProfile)
      return { request: { sessionProfileId }, shows: { sessionProfile: { sessionProfileId } } }
    },
    { refused: [{ sessionProfileId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(getSessionProfiles, async ({ made }) => ({
    request: {},
    shows: { sessionProfiles: [{ sessionProfileId: (await made(createSessionProfile)).sessionProfileId }] },
  })),
]

export const texts = {
  sessionProfileName: ORGANIZATION,
  scope: ORGANIZATION,
  notes: ORGANIZATION,
  expirationSeconds: ORGANIZATION,
}

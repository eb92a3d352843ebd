/** The type of the activity that creates an organization: the first activity of each log, and no later one, has it. */
export const GENESIS_TYPE = 'ACTIVITY_TYPE_CREATE_ORGANIZATION'

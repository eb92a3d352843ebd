/* The operations that the page itself submits. All others come out of the server's document. */
export const STAMP_LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'
export const TEST_WEBHOOK_ENDPOINT = 'ACTIVITY_TYPE_TEST_WEBHOOK_ENDPOINT'
export const RESEND_WEBHOOK_DELIVERIES = 'ACTIVITY_TYPE_RESEND_WEBHOOK_DELIVERIES'

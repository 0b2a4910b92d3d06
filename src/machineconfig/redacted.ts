/** What stands where a secret was. Talos writes it, and reads it back as a key that was redacted. */
export const REDACTED = '******'

/**
 * The same text, which holds on to no other. V8 makes a part of a text a window onto the whole of it, so that whoever keeps
 * a word of a document keeps the document, and what is secret in it.
 */
export const ownText = (text: string): string => String(JSON.parse(JSON.stringify(text)))

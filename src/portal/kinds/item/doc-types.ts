// Kinds of documents, as clients tell them apart.

export const DOC_TYPES = ['text', 'image', 'presentation', 'archive', 'audio', 'video', 'other'] as const;

import { describe, expect, test } from 'vitest';
import { pictureOf } from '../../files/image-data-url.ts';
import { sniff } from '../../files/sniff.ts';
import { attachment } from '../../operations/send-blob.ts';
import { checkDocument, docTypeOf, extensionOf } from './document-types.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('what is in a file', () => {
  test.each([
    ['image/png', PNG],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46', 'hex')],
    ['application/pdf', Buffer.from('%PDF-1.7\n')],
    ['application/zip', Buffer.from('504b030414000000', 'hex')],
    [
      'application/vnd.oasis.opendocument.text',
      Buffer.from('PK\x03\x04..............................mimetypeapplication/vnd.oasis.opendocument.text', 'latin1'),
    ],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      Buffer.from('PK\x03\x04 [Content_Types].xml word/document.xml', 'latin1'),
    ],
    ['image/webp', Buffer.from('RIFF\x01\x02\x03\x04WEBP', 'latin1')],
    ['video/mp4', Buffer.from('\0\0\0\x20ftypisom', 'latin1')],
    ['text/plain', Buffer.from('Just words, äöü.\r\n\tAnd more.')],
    ['text/plain', Buffer.alloc(0)],
    ['application/xml', Buffer.from('\ufeff<?xml version="1.0"?><a/>')],
    ['text/html', Buffer.from('  <!DOCTYPE html><html>')],
    ['text/html', Buffer.from('<script>alert(1)</script>')],
    ['text/html', Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">')],
    ['image/svg+xml', Buffer.from('<svg onload="alert(1)">')],
    ['image/svg+xml', Buffer.from('<?xml version="1.0"?>\n<!-- --><svg>')],
    [undefined, Buffer.from([0, 1, 2, 3, 4, 5])],
  ])('is %s', (mime, head) => {
    expect(sniff(head)).toBe(mime);
  });
});

describe('a document', () => {
  test.each([
    ['pdf', 'application/pdf', { ok: true, type: 'presentation', mime: 'application/pdf' }],
    ['png', 'image/png', { ok: true, type: 'image', mime: 'image/png' }],
    ['txt', 'text/plain', { ok: true, type: 'text', mime: 'text/plain' }],
    [
      'docx',
      'application/zip',
      { ok: true, type: 'text', mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
    ],
    ['doc', 'application/x-ole-storage', { ok: true, type: 'text', mime: 'application/msword' }],
    ['tif', 'image/tiff', { ok: true, type: 'archive', mime: 'image/tiff' }],
    ['vdo', undefined, { ok: true, type: 'video', mime: 'application/octet-stream' }],
  ])('.%s with %s inside is fine', (extension, content, expected) => {
    expect(checkDocument(extension, content)).toEqual(expected);
  });

  test.each([
    ['png', 'text/html'],
    ['png', 'image/svg+xml'],
    ['txt', 'text/html'],
    ['xml', 'image/svg+xml'],
    ['pdf', undefined],
    ['gif', 'image/png'],
    ['vdo', 'text/html'],
    ['html', 'text/html'],
    ['svg', 'image/svg+xml'],
    ['exe', undefined],
    ['js', 'text/plain'],
    ['', 'text/plain'],
    ['__proto__', 'text/plain'],
    ['constructor', 'text/plain'],
  ])('.%s with %s inside is refused', (extension, content) => {
    expect(checkDocument(extension, content).ok).toBe(false);
  });

  test('has the type of its ending', () => {
    expect(['a.PDF', 'b.tar.gz', 'noending', '.hidden', 'x.', 'a.b/c'].map(extensionOf)).toEqual([
      'pdf',
      'gz',
      '',
      'hidden',
      '',
      '',
    ]);
    expect(docTypeOf('mp3')).toBe('audio');
    expect(docTypeOf('toString')).toBe('other');
  });

  test('goes out under a name that breaks no header', () => {
    expect(attachment('a.txt')).toBe(`attachment; filename="a.txt"; filename*=UTF-8''a.txt`);
    expect(attachment('Fluß "1"\r\nSet-Cookie: x=%41.txt')).toBe(
      `attachment; filename="Flu_ _1___Set-Cookie: x=_41.txt"; filename*=UTF-8''Flu%C3%9F%20%221%22%0D%0ASet-Cookie%3A%20x%3D%2541.txt`,
    );
    expect(attachment('\ud800')).not.toContain('\ud800');
  });
});

test('a picture in a text is one only if it is one', () => {
  expect(pictureOf(`data:image/png;base64,${PNG.toString('base64')}`)).toEqual({ bytes: PNG, mime: 'image/png' });
  // called something it is not, but a picture all the same
  expect(pictureOf(`data:image/jpeg;base64,${PNG.toString('base64')}`)?.mime).toBe('image/png');
  expect(pictureOf(`data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`)).toBeUndefined();
  expect(pictureOf('https://example.org/a.png')).toBeUndefined();
});

// The bytes of a PNG, JPEG, GIF or WebP → its width and height, as its head says: known before anybody unpacks it. Pure.

export type PictureSize = { readonly width: number; readonly height: number };

/** Undefined: none of these, or cut off before it says so. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number): string =>
    String.fromCharCode(...bytes.subarray(at, Math.min(at + length, bytes.length)));
  try {
    if (text(1, 3) === 'PNG' && text(12, 4) === 'IHDR') return sized(view.getUint32(16), view.getUint32(20));
    if (text(0, 3) === 'GIF') return sized(view.getUint16(6, true), view.getUint16(8, true));
    if (view.getUint16(0) === 0xffd8) return jpegSize(view);
    if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return webpSize(view, text(12, 4));
    return undefined;
  } catch (error) {
    // Read behind the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function sized(width: number, height: number): PictureSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Segments one after the other, until the one that begins the picture. */
function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of these may stand between segments.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return sized(view.getUint16(at + 7), view.getUint16(at + 5));
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
}

function webpSize(view: DataView, chunk: string): PictureSize | undefined {
  switch (chunk) {
    case 'VP8 ':
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X': {
      const three = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      return sized(three(24) + 1, three(27) + 1);
    }
    default:
      return undefined;
  }
}

/** Images from the clipboard, for agents that take them. */
import type { Chip } from "../src/view/messages";

/** Bytes of one image; more would not pass any agent's limits. */
const MOST_BYTES = 5 * 1024 * 1024;
const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What is taken, and why something is not. */
export interface Taken {
  readonly chips: readonly Chip[];
  readonly error: string;
}

export async function imagesOf(files: readonly File[]): Promise<Taken> {
  const images = files.filter((file) => TYPES.has(file.type));
  const small = images.filter((file) => file.size <= MOST_BYTES);
  const chips = await Promise.all(small.map(chipOf));
  if (images.length < files.length) {
    return { chips, error: "Only PNG, JPEG, GIF and WebP images can be pasted." };
  }
  return { chips, error: small.length < images.length ? "That image is larger than 5 MB." : "" };
}

async function chipOf(file: File): Promise<Chip> {
  const data = await base64(file);
  const size = `${Math.max(1, Math.round(file.size / 1024))} kB`;
  return {
    label: file.name === "" ? "Image" : file.name,
    detail: `${file.type}, ${size}`,
    icon: "file-media",
    item: { type: "image", mimeType: file.type, data },
  };
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = reader.result as string; // what readAsDataURL gives
      resolve(url.slice(url.indexOf(",") + 1));
    };
    reader.onerror = () => reject(new Error("the image cannot be read"));
    reader.readAsDataURL(file);
  });
}

export { uploadImage, uploadReplacementImage } from "@/lib/upload-image";

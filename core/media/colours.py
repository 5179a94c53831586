"""Colours as browsers show them without being told: sRGB, 8 bits a channel."""

import io
from typing import Any

import numpy as np
from PIL import Image as Pictures
from PIL import ImageCms

SRGB = ImageCms.createProfile("sRGB")


def in_srgb(picture: Any) -> Any:
    """Return a still picture (Pillow) in sRGB: what it says of its colours is applied, and no longer said.

    A profile that cannot be read counts as none, as it does in browsers. CMYK without one is converted plainly.
    """
    profile = picture.info.pop("icc_profile", None)
    if picture.mode.startswith("I"):
        # 16 bits of grey: Pillow would cut what is above 255.
        return Pictures.fromarray((np.asarray(picture).astype(np.uint16, copy=False) >> 8).astype(np.uint8))
    if profile:
        converted = _converted(picture, profile)
        if converted is not None:
            return converted
    return picture.convert("RGB") if picture.mode in ("CMYK", "YCbCr", "LAB", "HSV") else picture


def _converted(picture: Any, profile: bytes) -> Any:
    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(given):
            return None
        space = given.profile.xcolor_space.strip()
        if picture.mode in ("RGB", "RGBA") and space == "RGB":
            ImageCms.profileToProfile(picture, given, SRGB, inPlace=True)
            return picture
        if picture.mode == "CMYK" and space == "CMYK":
            return ImageCms.profileToProfile(picture, given, SRGB, outputMode="RGB")
        if picture.mode == "P" and space == "RGB" and not picture.has_transparency_data:
            return ImageCms.profileToProfile(picture.convert("RGB"), given, SRGB)
    except (ImageCms.PyCMSError, OSError, ValueError):
        pass
    return None

//! Any bytes are a class file, an archive and an image: nothing may panic, and a class that is read can be
//! given probes and is then read again, with the same methods.
#![no_main]

use evergreen_classfile::{Jimage, Lines, ProbeOptions, Zip, plant_probes, read, read_outline};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(zip) = Zip::from_bytes(data.to_vec()) {
        let names: Vec<String> = zip.names().map(str::to_owned).collect();
        for name in names {
            let _ = zip.find(&name);
        }
    }
    if let Ok(image) = Jimage::from_bytes(data.to_vec()) {
        let _ = (image.find("java/lang/Object"), image.classes());
    }
    let outline = read_outline(data);
    let Ok(class) = read(data) else { return };
    let outline = outline.expect("what is read is read as an outline");
    for (method, again) in class.methods.iter().zip(&outline.methods) {
        assert_eq!(method.body, again.body);
        if let (Some(code), Some(body)) = (&method.code, again.body) {
            assert_eq!(code.offsets, outline.decode(data, body).expect("read before").offsets);
        }
    }
    let options = ProbeOptions { first: 32_760, lines: Lines::Yes, ..ProbeOptions::default() };
    let probed = plant_probes(data, &options).expect("read before");
    let again = read(&probed.bytes).expect("probes leave a class file");
    assert_eq!(class.methods.len(), again.methods.len());
});

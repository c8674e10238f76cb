//! The native path of querymix: what is done to each record, without the interpreter.
//!
//! Python is the definition. What stands here does the same to whatever it takes, byte for byte and draw for draw, or
//! says that it is not its own; tests hold both against each other.

mod advice;
mod classify;
mod files;
mod kafka;
mod objects;
mod pools;
mod varint;

use pyo3::prelude::*;

#[pymodule]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(files::aol::read_aol, module)?)?;
    module.add_function(wrap_pyfunction!(files::aol::write_aol, module)?)?;
    module.add_function(wrap_pyfunction!(files::queries::pack_queries, module)?)?;
    module.add_function(wrap_pyfunction!(files::queries::unpack_queries, module)?)?;
    module.add_function(wrap_pyfunction!(files::periods::with_ids, module)?)?;
    module.add_function(wrap_pyfunction!(kafka::fetched::read_records, module)?)?;
    module.add_function(wrap_pyfunction!(kafka::frames::read_classified, module)?)?;
    module.add_function(wrap_pyfunction!(kafka::frames::evidence_frames, module)?)?;
    module.add_function(wrap_pyfunction!(kafka::records::add_lines, module)?)?;
    module.add_class::<kafka::records::Records>()?;
    module.add_class::<advice::thinned::Thinned>()?;
    module.add_function(wrap_pyfunction!(pools::take_timed, module)?)?;
    module.add_function(wrap_pyfunction!(pools::take_frames, module)?)?;
    module.add_function(wrap_pyfunction!(pools::settle, module)?)?;
    module.add_class::<classify::engine::Engine>()
}
